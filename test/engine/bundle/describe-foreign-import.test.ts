import { expect, test } from "vitest";
import { describeUnlockedServer } from "../../../engine/bundle/imports/describe-foreign-import.ts";

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `server-number-${index}`);
const listed = (count: number): string =>
  ids(count)
    .map((id) => `"@codemode/servers/${id}"`)
    .join(", ");

test.each([
  [0, "No server is locked: run `codemode lock`, or add a server with `codemode add`."],
  [1, `Servers: ${listed(1)}.`],
  [10, `Servers: ${listed(10)}.`],
  [12, `Servers: ${listed(10)} and 2 more.`],
])("of %d servers a hint names ten at most", (count, hint) => {
  const problem = { code: "IMPORT_FAILURE", message: 'There is no server "elsewhere".', hint };
  expect(describeUnlockedServer("elsewhere", ids(count))).toEqual({ ok: false, problem });
});
