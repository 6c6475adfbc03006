import { expect, test } from "vitest";
import { describeSaving } from "../../schemas/text/token-saving.ts";

test.each([
  [
    { calls: 5146, script: 453, answer: 270 },
    { used: 723, isLess: true, words: "7.1 times less", percent: "86.0 % less" },
  ],
  // Three short notes: the script costs more than it saves.
  [
    { calls: 144, script: 223, answer: 61 },
    { used: 284, isLess: false, words: "2.0 times more", percent: "97.2 % more" },
  ],
  [
    { calls: 76_184, script: 100, answer: 36 },
    { used: 136, isLess: true, words: "560 times less", percent: "99.8 % less" },
  ],
  [
    { calls: 0, script: 10, answer: 0 },
    { used: 10, isLess: false, words: "10 times more", percent: "900.0 % more" },
  ],
])("a saving counts the script: %j", (tokens, saving) => {
  expect(describeSaving(tokens)).toEqual(saving);
});
