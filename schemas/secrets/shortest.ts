/**
 * The shortest values, in characters, that are looked for where they may stand: shorter ones are parts of ordinary words, and masking them
 * would hide every text and protect nothing. Under a name that says what it is, a value of any length is masked.
 */
export const SHORTEST = {
  /** In logs, errors, questions and recordings. */
  anywhere: 4,
  /** In what a server sends, with which scripts compute. */
  inAnswers: 6,
  /** Values of other clients: what is masked can be guessed by trying texts out, and these are too long for that. */
  ofOthers: 16,
} as const;
