/** Bytes that are no text in UTF-8. */
export class NotUtf8 extends Error {
  /** In words, for the end of a sentence: "line 3 is not UTF-8". */
  readonly problem: string;

  constructor(problem: string) {
    super(problem);
    this.problem = problem;
  }
}

const LINE_END = 0x0a;

/**
 * The text of bytes that a user gave: a file, a line, or standard input. A byte order mark at its start is no part of it (WHATWG Encoding, "UTF-8 decode").
 * No byte is replaced: a name that was written in another encoding would reach a server as another name.
 * @param firstLine the number of the first line, for the error
 * @throws NotUtf8
 */
export function decodeFile(bytes: Uint8Array, firstLine = 1): string {
  return decode(bytes, { ignoreBOM: false, firstLine });
}

/** The same with the byte order mark, for a text that is changed and written again. */
export function decodeMarkedText(bytes: Uint8Array): string {
  return decode(bytes, { ignoreBOM: true, firstLine: 1 });
}

function decode(bytes: Uint8Array, { ignoreBOM, firstLine }: { ignoreBOM: boolean; firstLine: number }): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    throw new NotUtf8(findProblem(bytes, firstLine));
  }
}

function findProblem(bytes: Uint8Array, firstLine: number): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return "it is UTF-16";
  let line = firstLine;
  for (let from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_END, from);
    const part = bytes.subarray(from, end < 0 ? bytes.length : end);
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(part);
    } catch {
      return `line ${line} is not UTF-8`;
    }
    from = end < 0 ? bytes.length : end + 1;
  }
  return "it is not UTF-8";
}
