/** Shorter values are switches such as `1` or `yes`; masking them would eat every text and protect nothing. */
const SHORTEST_SECRET = 4;

/**
 * Makes a function that replaces each occurrence of a value by `[redacted: NAME]`: as it is,
 * as it stands in JSON text, and as it stands in a URL.
 */
export function makeRedactor(
  secrets: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[],
): (text: string) => string {
  const search = searchFor(Array.isArray(secrets) ? secrets : Object.entries(secrets));
  if (search === undefined) return (text) => text;
  return (text) => text.replace(search.pattern, (form) => `[redacted: ${search.nameOf.get(form)}]`);
}

/** Makes a function that gives the parts of a text; each occurrence of a value, as `makeRedactor` finds it, is one by its name. */
export function makeSecretSplit(
  secrets: readonly (readonly [name: string, value: string])[],
): (text: string) => readonly (string | { credential: string })[] {
  const search = searchFor(secrets);
  if (search === undefined) return (text) => [text];
  return (text) => {
    const parts: (string | { credential: string })[] = [];
    let start = 0;
    for (const { 0: form, index } of text.matchAll(search.pattern)) {
      if (index > start) parts.push(text.slice(start, index));
      parts.push({ credential: search.nameOf.get(form) ?? "" });
      start = index + form.length;
    }
    if (start < text.length || parts.length === 0) parts.push(text.slice(start));
    return parts;
  };
}

/** What finds the values in each of their forms; undefined where none is long enough to be looked for. */
function searchFor(secrets: readonly (readonly [string, string])[]) {
  const nameOf = new Map<string, string>();
  for (const [name, value] of secrets) {
    if (value.length < SHORTEST_SECRET) continue;
    for (const form of formsOf(value)) {
      if (!nameOf.has(form)) nameOf.set(form, name);
    }
  }
  if (nameOf.size === 0) return undefined;
  // The longest first, so that a value that contains another one is masked as a whole.
  const forms = [...nameOf.keys()].toSorted((left, right) => right.length - left.length);
  return { nameOf, pattern: new RegExp(forms.map(escapeRegExp).join("|"), "g") };
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
