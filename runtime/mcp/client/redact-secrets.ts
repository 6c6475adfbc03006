/** Shorter values are switches such as `1` or `yes`; masking them would eat every text and protect nothing. */
const SHORTEST_SECRET = 4;

/**
 * Makes a function that replaces each occurrence of a value by `[redacted: NAME]`: as it is,
 * as it stands in JSON text, and as it stands in a URL.
 */
export function makeRedactor(
  secrets: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[],
): (text: string) => string {
  const nameOf = new Map<string, string>();
  const entries: readonly (readonly [string, string])[] = Array.isArray(secrets) ? secrets : Object.entries(secrets);
  for (const [name, value] of entries) {
    if (value.length < SHORTEST_SECRET) continue;
    for (const form of formsOf(value)) {
      if (!nameOf.has(form)) nameOf.set(form, name);
    }
  }
  if (nameOf.size === 0) return (text) => text;
  // The longest first, so that a value that contains another one is masked as a whole.
  const forms = [...nameOf.keys()].toSorted((left, right) => right.length - left.length);
  const pattern = new RegExp(forms.map(escapeRegExp).join("|"), "g");
  return (text) => text.replace(pattern, (form) => `[redacted: ${nameOf.get(form)}]`);
}

/** Says of JSON text whether `makeRedactor` might find something in one of its strings. It may say so in vain. */
export function makeSecretSearch(secrets: Readonly<Record<string, string>>): (json: Buffer) => boolean {
  const forms = Object.values(secrets)
    .filter((value) => value.length >= SHORTEST_SECRET)
    .flatMap((value) => formsOf(value).map(toJsonForm));
  // Escapes that JSON does not ask for can hide any character.
  const wanted = [...new Set([...forms, "\\u", "\\/"])];
  return (json) => wanted.some((form) => json.includes(form));
}

function formsOf(secret: string): string[] {
  return [secret, toJsonForm(secret), toUrlForm(secret)];
}

function toJsonForm(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function toUrlForm(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value; // a lone surrogate has no form in a URL
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
