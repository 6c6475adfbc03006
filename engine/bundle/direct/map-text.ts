import { encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";

const WORDS = /[\w$]+|[^\s\w$]/g;

/** The mappings of a text to itself, with a segment for each word and sign. */
export function mapToItself(code: string): string {
  return encode(
    code
      .split("\n")
      .map((text, line) => Array.from(text.matchAll(WORDS), ({ index }): SourceMapSegment => [index, 0, line, index])),
  );
}
