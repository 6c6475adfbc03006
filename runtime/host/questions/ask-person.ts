import type { PersonsReply, ServerQuestion } from "../../../schemas/run/question.ts";

/** Puts a question to a person. The signal is aborted when the answer is no longer wanted. */
export type AskPerson = (question: ServerQuestion, signal: AbortSignal) => Promise<PersonsReply>;
