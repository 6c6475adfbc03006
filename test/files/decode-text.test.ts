import { expect, test } from "vitest";
import { decodeFile } from "../../runtime/files/decode-text.ts";

const MARK = "\uFEFF";

test("a byte order mark is no part of a text, and one in the middle stays", () => {
  expect(decodeFile(Buffer.from(`${MARK}a ü ${MARK}b`))).toBe(`a ü ${MARK}b`);
  expect(decodeFile(Buffer.from(`${MARK}${MARK}`))).toBe(MARK);
  expect(decodeFile(Buffer.alloc(0))).toBe("");
});

test.each<[string, Buffer, string]>([
  ["Latin-1", Buffer.from("a\nM\xfcller\nb", "latin1"), "line 2 is not UTF-8"],
  ["Windows-1252 at the end", Buffer.from([0x61, 0x0a, 0x0a, 0x93]), "line 3 is not UTF-8"],
  ["a character that is cut", Buffer.from("ü").subarray(0, 1), "line 1 is not UTF-8"],
  ["a lone surrogate", Buffer.from([0xed, 0xa0, 0x80]), "line 1 is not UTF-8"],
  ["an overlong form", Buffer.from([0xc0, 0xaf]), "line 1 is not UTF-8"],
  ["UTF-16, little-endian", Buffer.from(`${MARK}abc`, "utf16le"), "it is UTF-16"],
  ["UTF-16, big-endian", Buffer.from([0xfe, 0xff, 0x00, 0x61]), "it is UTF-16"],
])("%s is refused with its place, and no byte is replaced", (_name, bytes, problem) => {
  expect(() => decodeFile(bytes)).toThrow(expect.objectContaining({ problem }));
});
