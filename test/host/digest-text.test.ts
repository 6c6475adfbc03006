import fc from "fast-check";
import { expect, test } from "vitest";
import { ANY_CHARACTER } from "../any-character.ts";
import { digestText } from "../../runtime/host/digest-text.ts";
import { integrityOfText } from "../../schemas/lock/integrity.ts";

test("the engine and plain code give any text the same digest", () => {
  const text = fc.oneof(
    fc.string({ unit: ANY_CHARACTER }),
    fc.string(),
    fc.constantFrom("", "\ud800", "\udc00a", "日本"),
  );
  fc.assert(
    fc.property(text, (value) => {
      expect(digestText(value)).toBe(integrityOfText(value));
    }),
  );
});
