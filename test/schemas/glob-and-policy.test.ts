import { expect, test } from "vitest";
import type { Policy } from "../../schemas/config/config-file.ts";
import { matchesAny } from "../../schemas/access/glob.ts";
import {
  isLooser,
  isToolIncluded,
  policyVerdict,
  type PolicyVerdict,
  strictestVerdict,
} from "../../schemas/access/policy.ts";

test.each([
  ["*", "github/delete_repo", true],
  ["github/*", "github/delete_repo", true],
  ["github/*", "gitlab/delete_repo", false],
  ["*/delete_*", "github/delete_repo", true],
  ["git???/delete_repo", "github/delete_repo", true],
  ["a.b", "aXb", false],
  ["a(b", "a(b", true],
])("pattern %s on %s: %s", (pattern, name, want) => {
  expect(matchesAny(name, [pattern])).toBe(want);
});

test("a pattern of many stars is answered at once", () => {
  expect(matchesAny("a".repeat(200), [`${"*".repeat(60)}b`])).toBe(false);
});

test.each([
  ["deny", { allow: ["*"], ask: ["*"], deny: ["files/*"] }],
  ["ask", { allow: ["*"], ask: ["files/write"], deny: [] }],
  ["allow", { allow: ["files/*"], ask: [], deny: [] }],
  ["deny", { allow: ["other/*"], ask: [], deny: [] }],
])("%s by %j", (want, policy) => {
  expect(policyVerdict(policy, "files", { name: "write" })).toBe(want);
});

test("a tool is shown when it is included and not excluded", () => {
  expect(isToolIncluded({ include: [], exclude: ["write_*"] }, "read_file")).toBe(true);
  expect(isToolIncluded({ include: [], exclude: ["write_*"] }, "write_file")).toBe(false);
  expect(isToolIncluded({ include: ["read_*"], exclude: [] }, "list_files")).toBe(false);
});

test.each([
  [`${"*a".repeat(8)}*c`, `${"a".repeat(500)}b`, false],
  [`${"*a".repeat(8)}*b`, `${"a".repeat(500)}b`, true],
  ["?b*c?", "😀bxcxc😀", true],
  ["😀x", "😀x", true],
  ["?a", "\uffffa", true],
  ["*\uffff?", "\uffff\uffffa", true],
  ["a**", "a", true],
  ["a*b", "a", false],
  ["a?", "a", false],
])("stars with text between them are matched at once: %s", (pattern, name, want) => {
  expect(matchesAny(name, [pattern])).toBe(want);
});

test("a verdict is looser than the stricter ones, and of several policies the strictest decides", () => {
  const verdicts: PolicyVerdict[] = ["allow", "ask", "deny"];
  const pairs = verdicts.flatMap((verdict) => verdicts.map((than) => [verdict, than] as const));
  expect(pairs.filter((pair) => isLooser(...pair))).toEqual([
    ["allow", "ask"],
    ["allow", "deny"],
    ["ask", "deny"],
  ]);
  const closed: Policy = { allow: [], ask: [], deny: [] };
  const [open, asking] = [
    { ...closed, allow: ["*"] },
    { ...closed, ask: ["*"] },
  ];
  const strictest = (...policies: Policy[]) => strictestVerdict(policies, "files", { name: "write" });
  expect([strictest(), strictest(open), strictest(open, asking), strictest(asking, closed)]).toEqual([
    "allow",
    "allow",
    "ask",
    "deny",
  ]);
});
