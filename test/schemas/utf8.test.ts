import { expect, test } from "vitest";
import { cutToUtf8, isLongerThan, isSurrogatePair, utf8Length } from "../../schemas/json/utf8.ts";

/** Each border of UTF-8's lengths from both sides, pairs, and halves of pairs where they may stand. */
const CHARACTERS = [
  "",
  "\0",
  "a",
  "\x7f",
  "\x80",
  "\u07ff",
  "\u0800",
  "\uffff",
  "😀",
  "\ud83d",
  "\ude00",
  "\udbff\udfff",
  "\ud800\udc00",
];
const TEXTS = [
  ...CHARACTERS.flatMap((first) => CHARACTERS.map((second) => `${first}x${second}`)),
  ...CHARACTERS.flatMap((first) => CHARACTERS.map((second) => first + second + first)),
  "a".repeat(200),
  `${"a".repeat(200)}é`,
  `é${"a".repeat(63)}`,
  "é".repeat(64),
];

test("texts have the length that Node finds", () => {
  expect(TEXTS.map((text) => [text, utf8Length(text)])).toEqual(TEXTS.map((text) => [text, Buffer.byteLength(text)]));
});

test("a text is cut to whole characters that fit, and to all of those", () => {
  expect(TEXTS).not.toEqual([]);
  for (const text of TEXTS) expectCuts(text);
});

function expectCuts(text: string): void {
  const length = Buffer.byteLength(text);
  for (let maxBytes = 0; maxBytes <= length + 1; maxBytes += 1) {
    const cut = cutToUtf8(text, maxBytes);
    const rest = text.slice(cut.length);
    expect(text.startsWith(cut)).toBe(true);
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes);
    const [next = ""] = rest;
    expect(rest === "" || Buffer.byteLength(cut + next) > maxBytes).toBe(true);
    expect(cut.length > 0 && isSurrogatePair(text, cut.length - 1)).toBe(false);
    expect(isLongerThan(text, maxBytes)).toBe(length > maxBytes);
  }
}

test("bytes are counted where the number of characters does not say it, and only there", () => {
  const counted: string[] = [];
  const count = (text: string): number => {
    counted.push(text);
    return Buffer.byteLength(text);
  };
  expect(["aaaa", "a", "aaa", "ééé", "é"].map((text) => isLongerThan(text, 3, count))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  expect(counted).toEqual(["aaa", "ééé"]);
});

test("a pair is a high half and a low one, in this order", () => {
  expect(
    ["😀", "\ude00\ud83d", "\ud83d", "a\ude00", "\ud83da", "ab", "\ud800\udc00", "\udbff\udfff", "\udc00\udc00"].map(
      (text) => isSurrogatePair(text, 0),
    ),
  ).toEqual([true, false, false, false, false, false, true, true, false]);
});
