/** A word that a shell may complete. */
export interface Suggestion {
  word: string;
  description?: string | undefined;
}
