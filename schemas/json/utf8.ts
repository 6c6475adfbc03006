/** From here on a regular expression that runs once is faster than a loop. */
const LONG = 64;
/** A UTF-16 unit takes three bytes at most: pairs take four. */
export const MAX_UNIT_BYTES = 3;
const ASCII = /^[\0-\x7f]*$/;

/** How many bytes a text takes in UTF-8; half a surrogate pair counts as the replacement character that it becomes. */
export function utf8Length(text: string): number {
  if (text.length > LONG && ASCII.test(text)) return text.length;
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isSurrogatePair(text, index)) {
      bytes += 2;
      index += 1;
    } else bytes += 2;
  }
  return bytes;
}

/** Whether a text takes more bytes in UTF-8 than so many; counted only where its length does not say it. `count` is `utf8Length` or as good. */
export function isLongerThan(text: string, maxBytes: number, count: (text: string) => number = utf8Length): boolean {
  if (text.length > maxBytes) return true;
  return text.length * MAX_UNIT_BYTES > maxBytes && count(text) > maxBytes;
}

/** The longest beginning of a text that takes at most so many bytes; no surrogate pair is split. */
export function cutToUtf8(text: string, maxBytes: number): string {
  let bytes = 0;
  for (let index = 0; index < text.length;) {
    const isPair = isSurrogatePair(text, index);
    const unit = text.charCodeAt(index);
    bytes += isPair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (bytes > maxBytes) return text.slice(0, index);
    index += isPair ? 2 : 1;
  }
  return text;
}

/** Whether the two code units from here are one character. */
export function isSurrogatePair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}
