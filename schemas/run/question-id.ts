/** The id of a question of a durable run: its questions are counted from 1. */
export interface QuestionId {
  run: string;
  number: number;
}

const QUESTION_ID = /^([\w-]{22})\.([1-9]\d{0,8})$/;

export function printQuestionId({ run, number }: QuestionId): string {
  return `${run}.${number}`;
}

/** Undefined for any other text: the id of a run alone names no question, because its next question may be put at any time. */
export function parseQuestionId(text: string): QuestionId | undefined {
  const [, run, number] = QUESTION_ID.exec(text) ?? [];
  return run === undefined ? undefined : { run, number: Number(number) };
}
