/**
 * Characters that a reader cannot see or that change how the text around them is read. The ranges are written out
 * because `\p{…}` follows the Unicode version of the engine, and the output must not.
 */
const INVISIBLE_RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x08], // controls, but not tab and line feed
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f], // combining grapheme joiner
  [0x600, 0x605], // Arabic signs that stand around numbers
  [0x61c, 0x61c], // Arabic letter mark
  [0x6dd, 0x6dd], // further signs of that kind
  [0x70f, 0x70f],
  [0x890, 0x891],
  [0x8e2, 0x8e2],
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5], // Khmer inherent vowels
  [0x180b, 0x180f], // Mongolian selectors
  [0x200b, 0x200f], // zero-width and directional marks
  [0x2028, 0x202e], // line and paragraph separators, embeddings and overrides
  [0x2060, 0x206f], // joiners, invisible operators, isolates
  [0x3164, 0x3164], // Hangul filler
  [0xd800, 0xdfff], // halves of pairs
  [0xe000, 0xf8ff], // private use
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff], // byte order mark
  [0xffa0, 0xffa0], // half-width filler
  [0xfff0, 0xfffb], // specials
  [0xfffe, 0xffff],
  [0x110bd, 0x110bd], // Kaithi number signs
  [0x110cd, 0x110cd],
  [0x13430, 0x1343f], // hieroglyph controls
  [0x1bca0, 0x1bca3], // shorthand controls
  [0x1d173, 0x1d17a], // musical controls
  [0xe0000, 0xe0fff], // tags, further variation selectors
  [0xf0000, 0x10ffff], // private use
];

export const INVISIBLE = new RegExp(`[${INVISIBLE_RANGES.map(toRange).join("")}]`, "gu");

/** Source code or JSON whose invisible characters, which can only stand in its strings, are escaped; it means the same. */
export function escapeInvisible(source: string): string {
  return source.replace(INVISIBLE, (character) => (character === "\n" ? character : toEscape(character)));
}

/** UTF-16 units, so that the escape is legal in every JavaScript string and regular expression. */
export function toEscape(character: string): string {
  let escaped = "";
  for (let index = 0; index < character.length; index += 1) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

function toRange([first, last]: readonly [number, number]): string {
  return `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`;
}

/** One printable line: parts of a message may come from a server, and could forge a line or move the cursor. */
export function oneLine(text: string): string {
  return escapeInvisible(text).replaceAll("\n", " ");
}
