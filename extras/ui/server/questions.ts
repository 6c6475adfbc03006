import { randomBytes } from "node:crypto";

/** Questions that wait for the person at the page, with answers of one kind. */
export interface Questions<Answer> {
  /** A question with an unguessable id. It is answered once; a disconnect refuses. */
  ask(signal: AbortSignal): { id: string; answer: Promise<Answer> };
  /** False where no such question waits. */
  answer(id: string, answer: Answer): boolean;
  refuseAll(): void;
}

/** @param refusal the answer of a person who has gone */
export function makeQuestions<Answer>(refusal: Answer): Questions<Answer> {
  const waiting = new Map<string, (given: Answer) => void>();
  const answer = (id: string, given: Answer): boolean => {
    const settle = waiting.get(id);
    waiting.delete(id);
    settle?.(given);
    return settle !== undefined;
  };
  return {
    ask(signal) {
      const id = randomBytes(16).toString("base64url");
      const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      if (signal.aborted) answer(id, refusal);
      else signal.addEventListener("abort", () => answer(id, refusal), { once: true });
      return { id, answer: answered };
    },
    answer,
    refuseAll() {
      for (const id of [...waiting.keys()]) answer(id, refusal);
    },
  };
}
