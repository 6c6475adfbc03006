import { expect, test } from "vitest";
import { replacePlaceholders } from "@codemode/runtime/placeholders";

const values = { env: { HOST: "example.org", EMPTY: "" }, workspaceFolder: "/project", userHome: "/home/me" };
const replace = (text: string): string => replacePlaceholders(text, values, (name) => new Error(`unset: ${name}`));

test.each([
  ["https://example.org/x", "https://${HOST}/x"],
  ["example.org example.org", "${env:HOST} ${HOST:-other}"],
  ["fallback", "${MISSING:-fallback}"],
  ["", "${MISSING:-}"],
  ["", "${EMPTY}"],
  ["/project/data /home/me", "${workspaceFolder}/data ${userHome}"],
  ["$HOST {HOST} $${1}", "$HOST {HOST} $${1}"],
])("%j from %s", (want, text) => {
  expect(replace(text)).toBe(want);
});

test("set variables that are used are reported with their values", () => {
  const used: [string, string][] = [];
  const onUsed = (...use: [string, string]) => void used.push(use);
  const text = "${HOST} ${env:EMPTY} ${MISSING:-x} ${workspaceFolder} ${HOST:-y}";
  replacePlaceholders(text, { ...values, onUsed }, () => new Error());
  expect(used).toEqual([
    ["HOST", "example.org"],
    ["EMPTY", ""],
    ["HOST", "example.org"],
  ]);
});

test("a value is not looked at again", () => {
  const nested = { ...values, env: { A: "${B}", B: "b" } };
  expect(replacePlaceholders("${A}", nested, () => new Error())).toBe("${B}");
});

test.each(["${MISSING}", "${constructor}", "${__proto__}"])("%s is unset", (text) => {
  expect(() => replace(text)).toThrow(/^unset: /);
});
