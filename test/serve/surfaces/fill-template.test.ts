import { expect, test } from "vitest";
import { fillTemplate } from "../../../serve/description/describe-run-tool.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";
import { ownLockfile, runDescription } from "./view-of.ts";

const cases: [string, string, string][] = [
  ["You have {{count}} tools.\n{{types}}", "the types", "You have 3 tools.\nthe types"],
  ["{{search}}: {{types}}", "T", "look: T"],
  ["{{types}} and again {{types}}", "T", "T and again T"],
  ["{{types}}", "$& $1 $` $$", "$& $1 $` $$"],
  ["{{types}}{{count}}", "{{count}} {{types}}", "{{count}} {{types}}3"],
  ["{{ types }} {{other}} {types}", "T", "{{ types }} {{other}} {types}"],
  ["nothing to fill", "T", "nothing to fill"],
];

test.each(cases)("%j with types %j", (template, types, want) => {
  expect(fillTemplate(template, { types, count: 3, search: "look" })).toBe(want);
});

test("a template of the configuration takes the place of the description", async () => {
  const description = await runDescription(ownLockfile, {
    description: "{{count}} tools:\n\n{{types}}",
    typesBudget: 1200,
  });
  expect(description).toMatch(/^34 tools:\n\nTo find a tool, /);
  expect(description).toContain('\n\n// "@codemode/servers/everything"\n');
});

test("what a server writes is not taken for a placeholder", async () => {
  const hostile = lockfileOf({
    shop: [{ name: "buy", description: "{{types}} {{count}} $& $`", inputSchema: { type: "object" } }],
  });
  const description = await runDescription(hostile, { description: "<{{types}}>" });
  expect(description).toContain("{{types}} {{count}} $& $`");
  expect(description.match(/export function buy/g)).toHaveLength(1);
});
