import { PLACEHOLDER } from "../config/placeholder.ts";
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
    const [, name = "", assigning] = match;
    if (assigning === undefined || name.length > LONGEST_NAME) continue;
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

/** Prefixes that services give to their tokens, for a program to find them; behind each follow the letters of the token. */
const PREFIXES = [
  "gh[opsur]_|github_pat_|gl(?:pat|dt|rt|ptt|cbt|oas|soat)-", // GitHub, GitLab
  "xox[abeoprs]-|xapp-", // Slack
  "sk-(?:ant-|proj-|or-|svcacct-)?|xai-|gsk_|pplx-|r8_|hf_|tvly-|fc-|ctx7sk-?|jina_|e2b_|lsv2_(?:pt|sk)_|bb_live_|BSA", // models and their tools
  "[sr]k_(?:live|test)_|whsec_|shp(?:at|ca|pa|ss)_|sq0csp-|pdl_(?:live|sdbx)_apikey_", // payments and shops
  "npm_|pypi-|dckr_pat_|rubygems_|CFPAT-|nfp_|vercel_|dop_v1_|doo_v1_|sbp_|pscale_(?:tkn|pw|oauth)_|apify_api_|dapi|rnd_", // registries and hosts
  "ntn_|secret_|lin_(?:api|oauth)_|figd_|figu_|ATATT3|ATCTT3|PMAK-|NRAK-|sntry[su]_|glsa_|phx_|pat-(?:na|eu)\\d-", // documents and monitoring
  "ops_|hvs\\.|dp\\.(?:pt|st|ct|sa)\\.|AGE-SECRET-KEY-|SG\\.|mlsn\\.|EAA[A-Z]|ya29\\.|1//0|GOCSPX-", // vaults, mail, Google
].join("|");

const FORMS = [
  `(?:${PREFIXES})[A-Za-z0-9_.=+/-]{12,}`,
  "(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])",
  "AIza[A-Za-z0-9_-]{35}",
  "pat[A-Za-z0-9]{14}\\.[0-9a-f]{32,}", // Airtable
  "eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*", // JSON Web Token (RFC 7519)
  "-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*", // RFC 7468
].join("|");

/** Tokens whose form tells what they are, at the beginning of a word; a prefix is followed by a digit somewhere. */
const TOKEN_FORMS = new RegExp(`(?<![A-Za-z0-9_@./-])(?:${FORMS})`, "g");

/** A text that was found by its form alone must not be an ordinary name such as `sk-learn-text-tools`. */
export function isPlausibleToken(text: string): boolean {
  return /\d/.test(text) || /[a-z][A-Z]/.test(text);
}

/** Words that stand where a secret could, and texts that a manual puts there to be replaced. */
const WORDS =
  /^(?:any|apikey|api_key|auto|aws|azure|basic|bearer|cli|default|device|digest|disabled|enabled|env|false|gcp|hmac|iam|jwt|keychain|keyring|no|none|null|oauth2?|off|on|optional|pat|password|prompt|required|sso|stdin|token|true|undefined|yes)$/i;
const DUMMY =
  /^<.*>$|^\[.*\]$|^\{.*\}$|^[.*xX…-]+$|(?:^|[_ -])(?:your|my)[_ -]|(?:^|[_ -])(?:here|placeholder|changeme|redacted)$|^(?:insert|replace|enter)[_ -]|^redacted/i;
/** As `myToken`; without the capital letter it may be a password. */
const CAMEL_CASE_DUMMY = /^(?:your|my)[A-Z]/;
const PATH =
  /^(?:\.{0,2}[\\/]|~[\\/]?|[A-Za-z]:[\\/]|file:)|\.(?:json|pem|key|crt|cert|p12|pfx|txt|ya?ml|toml|env|ini|conf)$/i;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Whether a text cannot be a secret under any name: empty, a switch, a place, or a word to be replaced. */
export function isHarmless(text: string): boolean {
  const rest = text.replace(/\$\{[^{}]*\}|\$[A-Z_][A-Z0-9_]*|\{env:[^{}]*\}|%[A-Z_][A-Z0-9_]*%/gi, "").trim();
  // What is left of `Bearer ${TOKEN}` is a word, or nothing.
  if (rest === "" || (rest !== text.trim() && rest.length < 8)) return true;
  return WORDS.test(rest) || DUMMY.test(rest) || CAMEL_CASE_DUMMY.test(rest) || PATH.test(rest) || ADDRESS.test(rest);
}

/** Whether a text under a vague name looks like a secret: one word, long, and no ordinary one. */
export function isOpaque(text: string): boolean {
  return /^\S{8,}$/.test(text) && (/\d/.test(text) || text.length >= 32) && !isIdentifier(text);
}

/** Texts that have a known form and are no secret: UUIDs, digests, versions and times. */
function isIdentifier(text: string): boolean {
  return (
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ||
    /^(?:sha\d+[:-]).+/i.test(text) ||
    /^\d[\d.:T/-]*Z?$/.test(text) ||
    /^v?\d+\.\d+/.test(text)
  );
}

const LEAST_RANDOM = 20;
/** Of neighbouring letters, how many differ in kind: in random letters about 0.6, in words of a program about 0.25. */
const LEAST_CHANGES = 0.4;
/** Bits for each letter, by Shannon's entropy of the text itself: 24 random letters of 62 have about 4.3. */
const LEAST_ENTROPY = 3.6;

/** Whether a word is random letters of more than one kind. Hexadecimal is left out: digests and ids look the same. */
export function isRandom(word: string): boolean {
  if (isIdentifier(word) || word.length > 4096) return false;
  return word.split(/[^A-Za-z0-9+]+/).some((part) => {
    if (part.length < LEAST_RANDOM || !/[a-z]/.test(part) || !/[A-Z]/.test(part)) return false;
    if ((part.match(/\d/g) ?? []).length < 2) return false;
    const kinds = Array.from(part, (letter) => (/\d/.test(letter) ? 0 : /[a-z]/.test(letter) ? 1 : 2));
    const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length / (part.length - 1);
    return changes >= LEAST_CHANGES && entropyOf(part) >= LEAST_ENTROPY;
  });
}

/** In the path of an address hexadecimal of that length is a capability more often than an id. */
export function isRandomSegment(segment: string): boolean {
  return isRandom(segment) || /^[0-9a-f]{32,}$/i.test(segment);
}

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}
