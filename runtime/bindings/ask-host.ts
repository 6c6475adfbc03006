import { CodemodeError } from "./errors.ts";
import { type SentReply, toCodemodeError } from "./reply.ts";

type Ask = (subject: string, question: string, detailsJson: string) => Promise<string>;

/** What is asked about, and options as the script gave them. */
interface Details {
  serverId?: string;
  toolName?: string;
}

/**
 * Asks the host of a sandbox something that no server answers. `subject` is the name that the host answers for, which no server can have.
 * @param outside says what cannot be done where there is no sandbox
 */
export async function askHost<Answer>(
  subject: string,
  question: string,
  details: Details,
  outside: { message: string; hint: string },
): Promise<Answer> {
  const ask = (globalThis as { __codemode_call__?: Ask }).__codemode_call__;
  if (ask === undefined) throw new CodemodeError(outside.message, { hint: outside.hint });
  const reply = JSON.parse(await ask(subject, question, JSON.stringify(details))) as SentReply;
  // An error is about the server and tool that were asked for.
  const { serverId = subject, toolName = question } = details;
  if (!reply.ok) throw toCodemodeError(reply.error, { serverId, toolName });
  return reply.value as Answer;
}
