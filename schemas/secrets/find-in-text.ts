import { isHarmless, isOpaque, isPlausibleToken, isRandom, isRandomSegment, TOKEN_FORMS } from "./secret-forms.ts";
import { evaluateSecretName } from "./secret-names.ts";

/** A part of a text that looks like a secret. */
export interface FoundSecret {
  start: number;
  end: number;
  /** What it is called where it stands; undefined for one that was found by its form alone. */
  name: string | undefined;
  /** The secret itself where it is not the part: the default of a placeholder. */
  value?: string;
  /** A part that is secret on its own: the password of an address. */
  inner?: string;
}

/** `scheme://user:password@host…`, up to the end of the word (RFC 3986, section 3.2.1). */
const USERINFO = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@"'?#]*:([^\s/@"']+)@[^\s"']*/gi;
/** A name to which something is assigned: in `-e NAME=value`, a query, a header, or JSON, which may be printed into a text. */
const NAME = /(?<![\w.:])([A-Za-z][\w.-]{0,63})\\*["']?\s{0,2}[=:](?!\/\/)\s{0,2}\\*["']?/g;
/** The next name, where nothing is assigned to the one before it: `TOKEN= PASSWORD=x`. */
const NEXT_NAME = /\s([A-Za-z][\w.-]{0,63})=/y;
/** What is assigned. */
const VALUE = /[^\s"'\\&;,]+/y;
const PLACEHOLDER = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g;
const SCHEME = /^(?:basic|bearer|token|apikey|dpop|digest)\s+/i;
/** After the scheme of a credential: `Authorization: Bearer x`. */
const CREDENTIAL = /(?<![\w-])(?:basic|bearer|apikey|dpop)\s+([^\s"'\\&;,]{6,})/gi;

/**
 * Finds what looks like secrets in a text, from left to right and apart from each other.
 * @param name of the whole text: the variable or header whose value it is, or the option before it
 */
export function findInText(text: string, name?: string): FoundSecret[] {
  const found: FoundSecret[] = [...findAddresses(text, name), ...findAssigned(text), ...findByForm(text, name)];
  if (name !== undefined && isSecretValue(name, text.replace(SCHEME, ""))) {
    found.push({ start: SCHEME.exec(text)?.[0].length ?? 0, end: text.length, name });
  }
  const placeholders = [...text.matchAll(PLACEHOLDER)].map(({ index, 0: whole, 1: variable = "", 2: value = "" }) => ({
    ...{ start: index, end: index + whole.length, name: variable, value },
    isSecret: isSecretValue(variable, value) || findByForm(value, undefined).length > 0,
  }));
  const outside = found.filter(({ start, end }) =>
    placeholders.every((placeholder) => start < placeholder.start || end > placeholder.end),
  );
  const defaults = placeholders.filter(({ isSecret }) => isSecret).map(({ isSecret: _, ...secret }) => secret);
  return joinOverlapping([...outside, ...defaults]);
}

function findAddresses(text: string, name: string | undefined): FoundSecret[] {
  return [...text.matchAll(USERINFO)].flatMap(({ index, 0: address, 1: password = "" }) =>
    isHarmless(password) && !/^(?:password|token)$/i.test(password)
      ? []
      : [{ start: index, end: index + address.length, name, inner: password }],
  );
}

function findAssigned(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    const [, name = ""] = match;
    if (evaluateSecretName(name) === "none" || isBeforeNextName(text, NAME.lastIndex)) continue;
    VALUE.lastIndex = NAME.lastIndex;
    const value = VALUE.exec(text)?.[0] ?? "";
    // Behind `Authorization:` comes the scheme first.
    if (SCHEME.test(`${value} `)) continue;
    const start = NAME.lastIndex;
    NAME.lastIndex += value.length;
    if (isSecretValue(name, value)) found.push({ start, end: start + value.length, name });
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
  const credentials = [...text.matchAll(CREDENTIAL)].flatMap(({ index, 0: whole, 1: value = "" }) => {
    const end = index + whole.length;
    const label = verdict === "none" ? "token" : name;
    return !isHarmless(value) && isOpaque(value) ? [{ start: end - value.length, end, name: label }] : [];
  });
  const tokens = [...text.matchAll(TOKEN_FORMS)].flatMap(({ index, 0: token }) =>
    isPlausibleToken(token) ? [{ start: index, end: index + token.length, name: undefined }] : [],
  );
  return [...credentials, ...tokens, ...(verdict === "open" ? [] : findRandom(text))];
}

/** In an address each part of its path and query is a word; elsewhere what holds a path or a package is none. */
function findRandom(text: string): FoundSecret[] {
  const isAddress = /^https?:\/\//i.test(text);
  const words = [...text.matchAll(isAddress ? /[^/?#&=]+/g : /[^\s"'=,;]+/g)];
  return words.flatMap(({ index, 0: word }) => {
    const isSecret = isAddress ? isSecretSegment(word) : !/[/@#:\\]/.test(word) && isRandom(word);
    return isSecret && !word.includes("${") ? [{ start: index, end: index + word.length, name: undefined }] : [];
  });
}

function isSecretSegment(segment: string): boolean {
  return isRandomSegment(segment) || [...segment.matchAll(TOKEN_FORMS)].some(([token]) => isPlausibleToken(token));
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

function isSecretValue(name: string, value: string): boolean {
  const verdict = evaluateSecretName(name);
  if (verdict === "none" || verdict === "open" || isHarmless(value)) return false;
  // `--token 4096` counts tokens; a password may be a number.
  if (verdict === "secret") return !/^\d{1,6}$/.test(value) || /pass|pwd/i.test(name);
  return isOpaque(value);
}
