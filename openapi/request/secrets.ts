/** The secret values of a server, and what hides them. */
export interface Secrets {
  add: (value: string) => void;
  /** Adds one that others follow, as tokens do: only the last ones are kept. */
  addToken: (value: string) => void;
  /** Replaces every secret value in a text. */
  mask: (text: string) => string;
}

/** Values of fewer characters are no secrets, and would mask ordinary text. */
const MIN_SECRET = 4;
const MAX_TOKENS = 100;

/** Collects what is masked. */
export function makeSecrets(): Secrets {
  const values = new Set<string>();
  const tokens = new Set<string>();
  let longestFirst: string[] | undefined;
  return {
    add(value) {
      values.add(value);
      longestFirst = undefined;
    },
    addToken(value) {
      tokens.delete(value);
      tokens.add(value);
      for (const oldest of [...tokens].slice(0, -MAX_TOKENS)) tokens.delete(oldest);
      longestFirst = undefined;
    },
    mask(text) {
      longestFirst ??= [...values, ...tokens]
        .flatMap((value) => [value, encodeURIComponent(value)])
        .filter(({ length }) => length >= MIN_SECRET)
        .toSorted((a, b) => b.length - a.length);
      return longestFirst.reduce((masked, value) => masked.replaceAll(value, "***"), text);
    },
  };
}
