import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type CodeMode, codeMode, defineTool } from "codemode";
import { SHARED_PROCESS } from "./open-code-mode.ts";

/** What the rules of `pay` were asked about, what a person was shown, and what its functions got. */
const seen: { [who: string]: unknown[] } = {};
const note = (who: string, ...values: unknown[]): void => void (seen[who] ??= []).push(...values);

let random = 0;
const pay = defineTool({
  description: "Pays",
  inputSchema: z.object({
    amount: z.coerce.number().default(5000),
    to: z.string().trim().toLowerCase().default("attacker"),
    at: z.iso
      .datetime()
      .default("2026-01-01T00:00:00Z")
      .transform((text) => new Date(text)),
    id: z.number().default(() => (random += 1)),
  }),
  outputSchema: z.object({ paid: z.number() }),
  needsApproval(input) {
    note("rule", input);
    return input.amount > 100 || input.to === "attacker";
  },
  execute(input) {
    note("made", input);
    return { paid: input.amount };
  },
  undo: (input, result) => note("undone", input, result),
});
const strict = {
  inputSchema: z.object({ name: z.string().refine((name) => name !== "secret", "the name is secret") }),
  needsApproval: () => {
    note("rule", "asked");
    return true;
  },
  execute: ({ name }: { name: string }) => note("made", name),
};

let code: CodeMode;
const audited: unknown[] = [];
const ways = new Set<unknown>();
let decide: () => unknown = () => true;
beforeAll(async () => {
  code = await codeMode(
    { bank: { pay, strict } },
    {
      ...{ ...SHARED_PROCESS, runs: "memory" },
      approve: ({ call }) => {
        note("shown", call?.input, ...(call?.problem === undefined ? [] : [call.problem]));
        return decide() as boolean;
      },
      observers: [
        (event) => {
          if (event.type === "call-checked") audited.push(event.input());
          if (event.type === "call-reviewed") ways.add(event.approvalBy);
        },
      ],
    },
  );
});
afterAll(() => code.close());
beforeEach(() => {
  random = 0;
  decide = () => true;
  audited.splice(0);
  ways.clear();
  for (const who of Object.keys(seen)) delete seen[who];
});

const run = async (input: string, name = "pay", options = {}) =>
  code.run(
    { code: `import { ${name} } from "@codemode/servers/bank"; export default await ${name}(${input});` },
    options,
  );

const AT = new Date("2026-01-01T00:00:00Z");
const whole = (input: object): object => ({ amount: 5000, to: "attacker", at: AT, id: 1, ...input });
const asJson = (value: object): unknown => JSON.parse(JSON.stringify(value));

test.each([
  ["{}", whole({}), true],
  ['{ amount: 50, to: " ATTACKER " }', whole({ amount: 50 }), true],
  ["{ amount: 5000, to: 'ada' }", whole({ to: "ada" }), true],
  ["{ amount: 50, to: ' Ada ' }", whole({ amount: 50, to: "ada" }), false],
])("of %s one form is judged, shown, logged and made", async (input, form, asks) => {
  expect((await run(input)).diagnostics).toEqual([]);
  expect(seen).toEqual({ rule: [form], ...(asks ? { shown: [asJson(form)] } : {}), made: [form] });
  expect(audited).toEqual([asJson(form)]);
  expect(random).toBe(1);
  expect(ways).toEqual(new Set(asks ? ["callback"] : []));
});

test("undo gets what the function got, also a value that its check made up", async () => {
  const { runId = "" } = await run("{ amount: 7, to: 'ada' }", "pay", { durable: true });
  random = 40;
  expect(await code.undo(runId)).toEqual(["bank/pay"]);
  expect(seen["undone"]).toEqual([whole({ amount: 7, to: "ada" }), { paid: 7 }]);
});

test("an input that its own check refuses is asked about by no one", async () => {
  const { diagnostics } = await run('{ name: "secret" }', "strict");
  expect(diagnostics[0]?.message).toContain("the name is secret");
  expect(seen).toEqual({});
  await expect(code.callTool("bank/strict", { name: "secret" })).rejects.toThrow("the name is secret");
  expect(seen).toEqual({});
});

test("what a person changes passes the check too, and nothing is made that the person has not seen", async () => {
  const inputs = [
    { to: " ADA ", id: 1 },
    { to: "ada", id: 1, amount: 6000 },
  ];
  decide = () => ({ verdict: "changed", input: inputs.shift() });
  expect((await run("{}")).result).toEqual({ paid: 6000 });
  expect(seen["shown"]).toEqual([
    asJson(whole({})),
    asJson(whole({})),
    `The tool's own check makes "ada" of "to": write it so.`,
  ]);
  expect(seen["made"]).toEqual([expect.objectContaining({ amount: 6000, to: "ada" })]);
});
