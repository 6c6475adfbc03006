import { expect, test } from "vitest";
import { keyOfInput } from "../../../extras/batch/batch-result.ts";
import { makeNoJournal } from "../../../extras/batch/journal.ts";
import { integrityOf } from "../../../schemas/lock/integrity.ts";
import { isRunKey } from "../../../schemas/run/run-key.ts";

test("the key of an input names batch and line, and differs with each of them and with the input", () => {
  const { batch } = makeNoJournal();
  const key = keyOfInput(batch, 17, integrityOf({ a: 1 }));
  expect(key).toMatch(new RegExp(`^${batch}/17/[\\w-]{22}$`));
  expect(keyOfInput(batch, 17, integrityOf({ a: 1 }))).toBe(key);
  const digest = Buffer.from(integrityOf({ a: 1 }).slice("sha256-".length), "base64").toString("base64url");
  expect(key).toBe(`${batch}/17/${digest.slice(0, 22)}`);
  const others = [
    keyOfInput(batch, 18, integrityOf({ a: 1 })),
    keyOfInput(batch, 17, integrityOf({ a: 2 })),
    keyOfInput(makeNoJournal().batch, 17, integrityOf({ a: 1 })),
  ];
  expect(new Set([key, ...others]).size).toBe(4);
});

test("a key is one that servers and stores take, with any digest of the input", () => {
  const keys = Array.from({ length: 200 }, (_, input) => keyOfInput("b".repeat(64), 2 ** 31, integrityOf(input)));
  expect(keys.filter((key) => !isRunKey(key))).toEqual([]);
});
