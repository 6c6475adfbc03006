import { isSurrogatePair, utf8Length } from "../../../../schemas/json/utf8.ts";

const REPLACEMENT = 0xfffd;

/** Makes the class `TextEncoder` (UTF-8 only, as everywhere). */
export function makeTextEncoder(): new () => object {
  return class TextEncoder {
    get encoding(): string {
      return "utf-8";
    }

    encode(text: unknown = ""): Uint8Array {
      const source = String(text);
      const bytes = new Uint8Array(utf8Length(source));
      writeUtf8(source, bytes);
      return bytes;
    }

    encodeInto(text: unknown, target: Uint8Array): { read: number; written: number } {
      if (!(target instanceof Uint8Array)) throw new TypeError("encodeInto: the second argument must be a Uint8Array");
      return writeUtf8(String(text), target);
    }

    get [Symbol.toStringTag](): string {
      return "TextEncoder";
    }
  };
}

/** Writes whole characters while there is room for them. */
function writeUtf8(text: string, target: Uint8Array): { read: number; written: number } {
  const room = target.length;
  let read = 0;
  let written = 0;
  while (read < text.length) {
    const isPair = isSurrogatePair(text, read);
    const unit = text.charCodeAt(read);
    const isLone = !isPair && (unit & 0xf800) === 0xd800;
    const point = isPair ? (text.codePointAt(read) as number) : isLone ? REPLACEMENT : unit;
    const length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (written + length > room) break;
    writePoint(point, length, target, written);
    written += length;
    read += isPair ? 2 : 1;
  }
  return { read, written };
}

/** The first byte of a character carries its length in its leading bits, each later one six bits of its value. */
function writePoint(point: number, length: number, target: Uint8Array, start: number): void {
  if (length === 1) {
    target[start] = point;
    return;
  }
  for (let index = length - 1, rest = point; index >= 0; index -= 1, rest >>= 6) {
    target[start + index] = index === 0 ? ((0xf00 >> length) & 0xff) | rest : 0x80 | (rest & 0x3f);
  }
}
