import { expect, test } from "vitest";
import { makePayloadPrinter } from "../../../../extras/observe/telemetry/print-payload.ts";

const print = makePayloadPrinter({ TRIPS_TOKEN: "s3cret-value" });

test("secrets are masked by their value and by the name that they stand under", () => {
  expect(print({ note: "it is s3cret-value", password: "pass", auth: { user: "me" }, place: "here" })).toBe(
    '{"note":"it is [redacted: TRIPS_TOKEN]","password":"[redacted]","auth":"[redacted]","place":"here"}',
  );
});

test("a secret that would be cut in two is masked as a whole", () => {
  for (let length = 1000; length < 1030; length += 1) {
    const text = "x".repeat(length);
    expect(print({ [`${text}s3cret-value`]: `${text}s3cret-value` })).not.toContain("s3");
  }
});

test("a payload of any size and depth is cut", () => {
  let deep: { inner: unknown } = { inner: null };
  for (let level = 0; level < 50_000; level += 1) deep = { inner: deep };
  expect(print(deep as never).length).toBeLessThan(100);
  const wide = Array.from({ length: 100_000 }).fill("x".repeat(2000)) as string[];
  expect(print(wide).length).toBe(4097);
  expect(print("x".repeat(10_000))).toBe(`"${"x".repeat(1024)}…"`);
});

test("names of members are data", () => {
  const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as never;
  expect(print(hostile)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
