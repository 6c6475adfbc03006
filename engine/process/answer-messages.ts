import type { AnsweringReply } from "./answering-process.ts";

/** The other end of an answering process: what its program does with each question. */
export function answerMessages<Answer>(answer: (question: unknown) => Promise<Answer>): void {
  const reply = (message: AnsweringReply<Answer>): void => {
    process.send?.(message);
  };
  process.on("message", (message) => {
    // Only the host has the other end of this channel.
    void answer(message).then(
      (value) => reply({ answer: value }),
      (error: unknown) => reply({ error: String(error) }),
    );
  });
  process.on("disconnect", () => process.exit());
  reply({ ready: true });
}
