/**
 * A superset of the text that SES refuses, wherever it stands: HTML-like comments, and what could be a dynamic import
 * or a direct eval. SES's own filters stay on and are the boundary; ours is for ordinary code that meets them by accident.
 */
const REFUSED = /<!--|-->|\b(?:import|eval)(?=\s*(?:\(|\/[/*]))/g;

/** The same text inside a string, template or regular expression, written so that its value stays as it is. */
const LITERAL_FORMS: Record<string, string> = {
  "<!--": "<!-\\x2d",
  "-->": "--\\x3e",
  import: "i\\x6dport",
  eval: "e\\x76al",
};

/** The same text as operators. */
const OPERATOR_FORMS: Record<string, string> = { "<!--": "<! --", "-->": "-- >" };

/** One place with text that SES would refuse; offsets in UTF-16 units. */
export interface RefusedText {
  text: string;
  start: number;
  end: number;
}

/** Finds all refused text, in order. */
export function findRefusedText(code: string): RefusedText[] {
  return Array.from(code.matchAll(REFUSED), ({ 0: text, index }) => ({ text, start: index, end: index + text.length }));
}

/** The part of `found` that lies between two offsets. `found` is sorted, so this does not look at all of it. */
export function refusedWithin(found: readonly RefusedText[], start: number, end: number): readonly RefusedText[] {
  let low = 0;
  let high = found.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((found[middle] as RefusedText).start < start) low = middle + 1;
    else high = middle;
  }
  let after = low;
  while (after < found.length && (found[after] as RefusedText).end <= end) after += 1;
  return found.slice(low, after);
}

export function toLiteralForm(text: string): string {
  return LITERAL_FORMS[text] ?? text;
}

export function toOperatorForm(text: string): string {
  return OPERATOR_FORMS[text] ?? text;
}

/** Prints a string literal that SES accepts. */
export function printString(value: string): string {
  return JSON.stringify(value).replace(REFUSED, toLiteralForm);
}
