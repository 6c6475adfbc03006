import { fromMembers, isObject, type Json } from "../json.ts";

/** The secret values of a server, and what hides them. */
export interface Secrets {
  add: (value: string) => void;
  /** Adds a value that is hidden in errors alone: the name of a user, or a tenant, is data in an answer. */
  addName: (value: string) => void;
  /** Adds one that others follow, as tokens do: only the last ones are kept. */
  addToken: (value: string) => void;
  /** Replaces every secret value in a text. */
  mask: (text: string) => string;
  /** Replaces every credential in the texts and names of an answer. */
  maskAnswer: <Value extends Json>(value: Value) => Value;
}

/** Values of fewer characters are no secrets, and would mask ordinary text. */
const MIN_SECRET = 4;
/** In an answer that a script computes with, a short value is more likely a word. */
const MIN_IN_ANSWER = 6;
const MAX_TOKENS = 100;

/** Collects what is masked. */
export function makeSecrets(): Secrets {
  const values = new Set<string>();
  const names = new Set<string>();
  const tokens = new Set<string>();
  let everywhere: string[] | undefined;
  let inAnswers: string[] | undefined;
  const change = (set: Set<string>, value: string): void => {
    set.delete(value);
    set.add(value);
    for (const oldest of [...tokens].slice(0, -MAX_TOKENS)) tokens.delete(oldest);
    everywhere = undefined;
    inAnswers = undefined;
  };
  return {
    add: (value) => change(values, value),
    addName: (value) => change(names, value),
    addToken: (value) => change(tokens, value),
    mask(text) {
      everywhere ??= longestFirst([...values, ...names, ...tokens], MIN_SECRET);
      return maskText(text, everywhere);
    },
    maskAnswer(value) {
      const secrets = (inAnswers ??= longestFirst([...values, ...tokens], MIN_IN_ANSWER));
      const printed = JSON.stringify(value);
      const isClean = secrets.every((secret) => !printed.includes(JSON.stringify(secret).slice(1, -1)));
      return isClean ? value : (maskTexts(value, secrets) as typeof value);
    },
  };
}

function longestFirst(values: string[], shortest: number): string[] {
  return values
    .flatMap((value) => [value, encodeURIComponent(value)])
    .filter(({ length }) => length >= shortest)
    .toSorted((a, b) => b.length - a.length);
}

function maskText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, "***"), text);
}

function maskTexts(value: Json, secrets: readonly string[]): Json {
  if (typeof value === "string") return maskText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, secrets));
  if (!isObject(value)) return value;
  return fromMembers(
    Object.entries(value).map(([name, item]) => [
      maskText(name, secrets),
      item === undefined ? item : maskTexts(item, secrets),
    ]),
  );
}
