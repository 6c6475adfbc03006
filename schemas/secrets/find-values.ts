/** Where one of the forms stands in a text. */
export interface FoundForm {
  start: number;
  end: number;
  form: string;
}

/** Finds in a text each form, from left to right and apart from each other; of several that begin at one place the longest. */
export type FindForms = (text: string) => FoundForm[];

/** No URL is longer; of longer values, such as files, only JSON is looked for. */
const LONGEST_ENCODED = 8192;

/** In the forms of a value each of these signs stands for itself. */
const PLAIN = /^[\w.~-]*$/;

/**
 * A value as programs write it, each form once, itself first: in either normal form of Unicode, as JSON that is printed into a text or into such a
 * text (some escape slashes, and all beyond ASCII), and as a part of a URL.
 */
export function formsOf(value: string): string[] {
  if (PLAIN.test(value)) return [value];
  if (value.length > LONGEST_ENCODED) return [...new Set([value, printJson(value), printJson(printJson(value))])];
  const texts = [value, value.normalize("NFC"), value.normalize("NFD")];
  return [...new Set([...texts, ...texts.flatMap(printedForms), ...texts.flatMap(urlForms)])];
}

function printedForms(text: string): string[] {
  const once = printJson(text);
  const ascii = escapeBeyondAscii(once);
  const printed = [once, ascii, escapeSlashes(once), escapeSlashes(ascii)];
  return [...printed, ...printed.map(printJson)];
}

function printJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeBeyondAscii(json: string): string {
  return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${toHex(unit.charCodeAt(0), 4)}`);
}

function escapeSlashes(json: string): string {
  return json.replaceAll("/", "\\/");
}

function toHex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}

/** Programs differ in which signs they leave as they are, how they write a blank, and in the case of the digits. */
function urlForms(text: string): string[] {
  let loose: string;
  try {
    loose = encodeURIComponent(text);
  } catch {
    return []; // a lone surrogate has no form in a URL
  }
  const strict = loose.replace(/[!'()*]/g, (sign) => `%${toHex(sign.charCodeAt(0), 2).toUpperCase()}`);
  const forms = [loose, strict].flatMap((form) => [form, form.replaceAll("%2F", "/")]);
  const spaced = forms.flatMap((form) => [form, form.replaceAll("%20", "+")]);
  return spaced.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (sign) => sign.toLowerCase())]);
}

/** One expression finds a few short texts fast; longer ones it cannot hold, and many it tries one by one. In characters. */
const LONGEST_PATTERN = 8192;

/** Makes what finds these forms in texts. None may be empty. */
export function makeFinder(forms: Iterable<string>): FindForms {
  // The longest first: an expression, like the table, takes the first one that fits.
  const sorted = [...new Set(forms)].toSorted((left, right) => right.length - left.length);
  if (sorted.length === 0) return () => [];
  const source = sorted.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|");
  return source.length <= LONGEST_PATTERN ? findByPattern(source) : findByTable(sorted);
}

function findByPattern(source: string): FindForms {
  const pattern = new RegExp(source, "g");
  return (text) =>
    Array.from(text.matchAll(pattern), ({ index, 0: form }) => ({ start: index, end: index + form.length, form }));
}

function findByTable(sorted: readonly string[]): FindForms {
  const byStart = new Map<number, string[]>();
  for (const form of sorted) {
    const key = keyAt(form, 0);
    const same = byStart.get(key);
    if (same === undefined) byStart.set(key, [form]);
    else same.push(form);
  }
  return (text) => {
    const found: FoundForm[] = [];
    for (let start = 0; start < text.length; start += 1) {
      const form = byStart.get(keyAt(text, start))?.find((each) => text.startsWith(each, start));
      if (form === undefined) continue;
      found.push({ start, end: start + form.length, form });
      start += form.length - 1;
    }
    return found;
  };
}

/** Of two of the first four units, which the shortest forms have. */
function keyAt(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | text.charCodeAt(at + 3);
}
