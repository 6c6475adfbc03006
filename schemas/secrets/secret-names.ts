/** Nouns that name a secret of any form; what stands before and some of what stands behind them does not matter. */
const SECRET_NOUNS = new Set(
  (
    "apikey apikeys apitoken authtoken accesstoken bearer credential credentials dsn jwt mnemonic pass passcode passphrase passwd password " +
    "passwords pat pwd pw secret secrets secretkey token accesskey privatekey"
  ).split(" "),
);

/** The same nouns at the end of a word without a separator: `PGPASSWORD` of libpq, `DBPASS`, `clientsecret`. */
const SECRET_ENDING =
  /(?:apikey|passcode|passphrase|passwd|password|pwd|secret|token|accesskey|privatekey|credentials?)$/;

/** `pass` ends other words too. */
const PASS_ENDING = /(?<!^by|com|tres|sur|over|under|en)pass$/;

/** Nouns that name a secret where the value looks like one: `cache-key` and `--auth none` are none. */
const VAGUE_NOUNS = new Set("auth authorization cookie key session".split(" "));

/** `OPENAIKEY`, `authkey`: without a separator the word before has to say that it is none of `monkey`. */
const KEY_ENDING = /(?:account|ai|app|auth|client|encryption|licen[cs]e|master|service|shared|signing|storage)keys?$/;

/** What stands before `key` where it is no secret. */
const OPEN_KEYS = new Set(
  "cache cert column composite file foreign host hot idempotency index issue partition primary project public publishable shortcut sort".split(
    " ",
  ),
);

/** What stands before `key`, `keys` and `tokens` where each is a secret of any form. */
const OF_SERVICES = new Set("access api auth private secret".split(" "));

/** Words behind a noun that do not change what it names: `API_KEY_2`, `TOKEN_PROD`. */
const INDIFFERENT =
  /^(?:\d+|b64|backup|base64|current|dev|development|hex|live|new|old|pem|prod|production|raw|secondary|staging|string|test|value)$/;

/** The settings of a login that are secret themselves, in the words that say so. */
export const SECRET_OAUTH_SETTINGS = {
  clientSecret: "client secret",
  privateKey: "private key",
  assertion: "assertion token",
  idpClientSecret: "idp client secret",
  idToken: "id token",
} as const;

/** How sure a name is of its value; an `open` one says that it is no secret. */
export type NameClass = "secret" | "vague" | "open" | "none";

/**
 * Whether a name of a variable, option, header or query parameter is given to secrets: its last word decides. `GITHUB_TOKEN` is,
 * `TOKEN_LIMIT`, `MAX_TOKENS` and `AUTH_METHOD` are not.
 */
export function evaluateSecretName(name: string): NameClass {
  const words = splitWords(name);
  while (INDIFFERENT.test(words.at(-1) ?? "")) words.pop();
  const last = words.at(-1) ?? "";
  if (SECRET_NOUNS.has(last) || SECRET_ENDING.test(last) || PASS_ENDING.test(last)) return "secret";
  const before = words.at(-2) ?? "";
  // `MAX_TOKENS` counts them.
  if (last === "keys" || last === "tokens") return OF_SERVICES.has(before) ? "secret" : "none";
  if (last !== "key") return VAGUE_NOUNS.has(last) || KEY_ENDING.test(last) ? "vague" : "none";
  if (OPEN_KEYS.has(before)) return "open";
  return OF_SERVICES.has(before) ? "secret" : "vague";
}

/** Whether what has this name is masked wherever it would be seen: the same verdict as for what must not stand in a configuration. */
export function isCredentialName(name: string): boolean {
  const verdict = evaluateSecretName(name);
  return verdict === "secret" || verdict === "vague";
}

/** `apiKey`, `API-Key` and `api_key` are the same two words. */
function splitWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** The name of an option that stands as an argument of its own, such as `token` of `--token`; undefined for other arguments. */
export function optionName(arg: string | undefined): string | undefined {
  return /^--?([A-Za-z][\w.-]+)$/.exec(arg ?? "")?.[1];
}
