import { PLACEHOLDER } from "../config/placeholder.ts";
import {
  isHarmless,
  isOpaque,
  isPlausibleToken,
  isRandom,
  isRandomSegment,
  isSecretUnder,
  type SecretReason,
  TOKEN_FORMS,
} from "./evaluate-secret.ts";
import { evaluateSecretName } from "./secret-names.ts";
import { CREDENTIAL, isScheme, lengthOfScheme, USERINFO, withoutScheme } from "./written-credentials.ts";

/** A part of a text that looks like a secret. */
export interface FoundSecret {
  start: number;
  end: number;
  reason: SecretReason;
  /** What it is called where it stands; undefined for one that was found by its form alone. */
  name: string | undefined;
  /** The secret itself where it is not the part: the default of a placeholder. */
  value?: string;
  /** A part that is secret on its own: the password of an address. */
  inner?: string;
}

/**
 * A word, and what assigns something to it: in `-e NAME=value`, a query, a header, or JSON, which may be printed into a text. Words without
 * are matched too, so that none is looked at twice.
 */
const NAME = /(?:(?<![\w.-])-+|(?<![\w.:-]))([A-Za-z][\w.-]*)(\\*["']?\s{0,2}[=:](?!\/\/)\s{0,2}\\*["']?)?/g;
/** In characters. */
const LONGEST_NAME = 64;
/** The next name, where nothing is assigned to the one before it: `TOKEN= PASSWORD=x`. */
const NEXT_NAME = /\s([A-Za-z][\w.-]{0,63})=/y;
/** What is assigned. */
const VALUE = /[^\s"'\\&;,]+/y;

/**
 * Finds what looks like secrets in a text, from left to right and apart from each other.
 * @param name of the whole text: the variable or header whose value it is, or the option before it
 */
export function findInText(text: string, name?: string): FoundSecret[] {
  const found: FoundSecret[] = [...findAddresses(text, name), ...findAssigned(text), ...findByForm(text, name)];
  if (name !== undefined && isSecretUnder(name, withoutScheme(text))) {
    found.push({ start: lengthOfScheme(text), end: text.length, reason: "name", name });
  }
  const placeholders = [...text.matchAll(PLACEHOLDER)].map(({ index, 0: whole, 1: variable = "", 2: value = "" }) => ({
    ...{ start: index, end: index + whole.length, name: variable, value },
    reason: isSecretUnder(variable, value) ? ("name" as const) : findByForm(value, undefined)[0]?.reason,
  }));
  const outside = found.filter(({ start, end }) =>
    placeholders.every((placeholder) => start < placeholder.start || end > placeholder.end),
  );
  const defaults = placeholders.flatMap(({ reason, ...secret }) => (reason === undefined ? [] : { ...secret, reason }));
  return joinOverlapping([...outside, ...defaults]);
}

function findAddresses(text: string, name: string | undefined): FoundSecret[] {
  return [...text.matchAll(USERINFO)].flatMap(({ index, 0: address, 1: password = "" }): FoundSecret[] =>
    isHarmless(password) && !/^(?:password|token)$/i.test(password)
      ? []
      : [{ start: index, end: index + address.length, reason: "address", name, inner: password }],
  );
}

function findAssigned(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    const [, name = "", assigning] = match;
    if (assigning === undefined || name.length > LONGEST_NAME) continue;
    if (evaluateSecretName(name) === "none" || isBeforeNextName(text, NAME.lastIndex)) continue;
    VALUE.lastIndex = NAME.lastIndex;
    const value = VALUE.exec(text)?.[0] ?? "";
    // Behind `Authorization:` comes the scheme first.
    if (isScheme(value)) continue;
    const start = NAME.lastIndex;
    NAME.lastIndex += value.length;
    if (isSecretUnder(name, value)) found.push({ start, end: start + value.length, reason: "name", name });
  }
  return found;
}

/** Whether the word that begins there is a name: one of a secret, or of a variable. A value may end with `=`. */
function isBeforeNextName(text: string, start: number): boolean {
  NEXT_NAME.lastIndex = start - 1;
  const name = NEXT_NAME.exec(text)?.[1];
  return name !== undefined && (/^[A-Z][A-Z0-9_]*$/.test(name) || evaluateSecretName(name) !== "none");
}

function findByForm(text: string, name: string | undefined): FoundSecret[] {
  const verdict = name === undefined ? "none" : evaluateSecretName(name);
  const credentials = [...text.matchAll(CREDENTIAL)].flatMap(({ index, 0: whole, 1: value = "" }): FoundSecret[] => {
    const end = index + whole.length;
    const label = verdict === "none" ? "token" : name;
    return !isHarmless(value) && isOpaque(value)
      ? [{ start: end - value.length, end, reason: "scheme", name: label }]
      : [];
  });
  const tokens = [...text.matchAll(TOKEN_FORMS)].flatMap(({ index, 0: token }): FoundSecret[] =>
    isPlausibleToken(token) ? [{ start: index, end: index + token.length, reason: "form", name: undefined }] : [],
  );
  return [...credentials, ...tokens, ...(verdict === "open" ? [] : findRandom(text))];
}

/** In an address each part of its path and query is a word; elsewhere what holds a path or a package is none. */
function findRandom(text: string): FoundSecret[] {
  const isAddress = /^https?:\/\//i.test(text);
  const words = [...text.matchAll(isAddress ? /[^/?#&=]+/g : /[^\s"'=,;]+/g)];
  return words.flatMap(({ index, 0: word }): FoundSecret[] => {
    const reason = isAddress ? evaluateSegment(word) : !/[/@#:\\]/.test(word) && isRandom(word) ? "random" : undefined;
    if (reason === undefined || word.includes("${")) return [];
    return [{ start: index, end: index + word.length, reason, name: undefined }];
  });
}

function evaluateSegment(segment: string): SecretReason | undefined {
  if (isRandomSegment(segment)) return "random";
  return [...segment.matchAll(TOKEN_FORMS)].some(([token]) => isPlausibleToken(token)) ? "form" : undefined;
}

/** Two finds that touch are one secret: nothing of either may stay. */
function joinOverlapping(found: readonly FoundSecret[]): FoundSecret[] {
  const joined: FoundSecret[] = [];
  for (const next of found.toSorted((left, right) => left.start - right.start || right.end - left.end)) {
    const last = joined.at(-1);
    if (last === undefined || next.start >= last.end) joined.push({ ...next });
    else {
      last.end = Math.max(last.end, next.end);
      last.name ??= next.name;
      if (next.inner !== undefined) last.inner ??= next.inner;
      delete last.value;
    }
  }
  return joined;
}
