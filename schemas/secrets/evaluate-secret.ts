import { evaluateSecretName, isCredentialName } from "./secret-names.ts";
import { SHORTEST } from "./shortest.ts";

/** Why something is a secret. */
export type SecretReason =
  /** Its name is given to secrets, or may be and it looks like one. */
  | "name"
  /** It is the password of an address. */
  | "address"
  /** It stands behind the scheme of a credential. */
  | "scheme"
  /** It has the form that a service gives to its tokens. */
  | "form"
  /** Its letters are random. */
  | "random";

/** What is said of a secret that someone has written where a placeholder belongs. */
export const REASONS: Readonly<Record<SecretReason, string>> = {
  name: "its name says so",
  address: "it holds the password of an address",
  scheme: "it holds a credential behind its scheme",
  form: "it has the form of a token",
  random: "it holds random characters",
};

/** Whether a value that stands under a name is a secret. A name that says nothing, or that it is none, decides so. */
export function isSecretUnder(name: string, value: string): boolean {
  const verdict = evaluateSecretName(name);
  if (verdict === "none" || verdict === "open" || isHarmless(value)) return false;
  // `--token 4096` counts tokens; a password may be a number.
  if (verdict === "secret") return !/^\d{1,6}$/.test(value) || /pass|pwd/i.test(name);
  return isOpaque(value);
}

/** Of the values of a server, by their names, what none may read in what it sends: called so, or found in its settings (`literals`). */
export function pickCredentials(
  values: Readonly<Record<string, string>>,
  literals: Readonly<Record<string, string>>,
): Record<string, string> {
  const picked = Object.entries(values).filter(
    ([name, value]) => (isCredentialName(name) || Object.hasOwn(literals, name)) && value.length >= SHORTEST.inAnswers,
  );
  return Object.fromEntries(picked);
}

/** Whether a value of a file of variables is a credential: each is, under any name, but for plain words such as `production`. */
export function isCredentialOfFile(value: string): boolean {
  return !isHarmless(value) && !(value.length < 16 && /^[a-z]*$|^[A-Z]*$|^\d{1,6}$/.test(value));
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
export const TOKEN_FORMS = new RegExp(`(?<![A-Za-z0-9_@./-])(?:${FORMS})`, "g");

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
