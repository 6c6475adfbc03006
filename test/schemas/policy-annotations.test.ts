import { expect, test } from "vitest";
import type { JsonValue } from "../../schemas/json/json.ts";
import { isReadOnly, matchesTool, policyVerdict, unknownClaims } from "../../schemas/access/policy.ts";

/** The annotations that hold for a tool with these hints. */
function claimsOf(annotations: JsonValue | undefined): string[] {
  const tool = { name: "act", ...(annotations === undefined ? {} : { annotations }) };
  return ["@readOnly", "@destructive", "@idempotent", "@openWorld"].filter((pattern) =>
    matchesTool([pattern], "files", tool),
  );
}

test.each<[hints: string, annotations: JsonValue | undefined, claims: string[]]>([
  ["no annotations", undefined, ["@destructive", "@openWorld"]],
  ["annotations without hints", { title: "Act" }, ["@destructive", "@openWorld"]],
  ["annotations that are no object", ["readOnlyHint"], ["@destructive", "@openWorld"]],
  ["a tool that only reads", { readOnlyHint: true }, ["@readOnly", "@openWorld"]],
  ["one that reads and claims to destroy", { readOnlyHint: true, destructiveHint: true }, ["@readOnly", "@openWorld"]],
  ["one that adds", { readOnlyHint: false, destructiveHint: false }, ["@openWorld"]],
  ["one that may be repeated", { idempotentHint: true, openWorldHint: false }, ["@destructive", "@idempotent"]],
  ["hints that are no booleans", { readOnlyHint: "true", destructiveHint: 0 }, ["@destructive", "@openWorld"]],
])("%s", (_, annotations, claims) => {
  expect(claimsOf(annotations)).toEqual(claims);
});

test("a tool only reads where it says so, and else it may do anything", () => {
  const hints = [{ readOnlyHint: true }, { readOnlyHint: false }, { readOnlyHint: "true" }, {}];
  expect(hints.map((annotations) => isReadOnly({ annotations }))).toEqual([true, false, false, false]);
  expect(isReadOnly({})).toBe(false);
});

test("a hint is an own property: a prototype cannot lend one", () => {
  expect(claimsOf(JSON.parse('{"__proto__": {"readOnlyHint": true}}') as JsonValue)).toEqual([
    "@destructive",
    "@openWorld",
  ]);
});

test("an annotation can be meant for some servers alone", () => {
  const reader = { name: "read", annotations: { readOnlyHint: true } };
  expect(matchesTool(["github/@readOnly"], "github", reader)).toBe(true);
  expect(matchesTool(["github/@readOnly"], "gitlab", reader)).toBe(false);
  expect(matchesTool(["git*/@readOnly"], "gitlab", reader)).toBe(true);
});

test("a tool cannot name itself into an annotation", () => {
  expect(matchesTool(["@readOnly", "files/@readOnly"], "files", { name: "@readOnly" })).toBe(false);
});

test("read freely, ask before anything else, never destroy", () => {
  const policy = { allow: ["@readOnly"], ask: ["files/*"], deny: ["@destructive"] };
  const verdictOf = (annotations: JsonValue) => policyVerdict(policy, "notes", { name: "act", annotations });
  expect(verdictOf({ readOnlyHint: true })).toBe("allow");
  expect(verdictOf({})).toBe("deny");
  // No pattern names what neither reads only nor destroys.
  expect(verdictOf({ destructiveHint: false })).toBe("deny");
  expect(policyVerdict(policy, "files", { name: "act", annotations: { destructiveHint: false } })).toBe("ask");
  expect(policyVerdict(policy, "files", { name: "act", annotations: { readOnlyHint: true } })).toBe("ask");
});

test("words that are no annotation are found", () => {
  const patterns = ["@readOnly", "github/@readonly", "@", "*/delete", "@toString", "a/b/@c"];
  expect(unknownClaims(patterns)).toEqual(["github/@readonly", "@", "@toString"]);
});
