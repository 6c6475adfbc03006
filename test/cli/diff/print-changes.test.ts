import { expect, test } from "vitest";
import { printChanges } from "../../../cli/print/print-changes.ts";
import type { Policy } from "../../../schemas/config/config-file.ts";
import { diffLockfiles } from "../../../schemas/diff/diff-lockfiles.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";

const READERS: Policy = { allow: ["@readOnly"], ask: ["disk/look"], deny: [] };

const toolsWith = (readOnlyHint: boolean) =>
  ["erase", "look"].map((name) => ({ name, inputSchema: { type: "object" }, annotations: { readOnlyHint } }));
const changes = diffLockfiles(lockfileOf({ disk: toolsWith(true) }), lockfileOf({ disk: toolsWith(false) }), READERS);

test("a claim that changes is shown with what the project's policy says of it before and after", () => {
  expect(printChanges(changes)).toEqual([
    "disk: changed (policy)",
    "  policy: no longer @readOnly, now @destructive  /tools/erase/annotations",
    "      the project's policy: allow → deny",
    '      - {"readOnlyHint":true}',
    '      + {"readOnlyHint":false}',
    "  policy: no longer @readOnly, now @destructive  /tools/look/annotations",
    "      the project's policy: ask, as before",
    '      - {"readOnlyHint":true}',
    '      + {"readOnlyHint":false}',
  ]);
});

test("the gravest server and change come first, in any order of names", () => {
  const toolOf = (name: string, description: string) => ({ name, description, inputSchema: { type: "object" } });
  const before = lockfileOf({ alpha: [toolOf("add", "Adds.")], beta: [toolOf("a", "A."), toolOf("z", "Z.")] });
  const after = lockfileOf({ alpha: [toolOf("add", "Adds two.")], beta: [toolOf("a", "Other.")] });
  const heads = printChanges(diffLockfiles(before, after)).flatMap((line) => /^(?: {2})?[a-z ]+(?=:)/.exec(line) ?? []);
  expect(heads).toEqual(["beta", "  breaking", "  text only", "alpha", "  text only"]);
});
