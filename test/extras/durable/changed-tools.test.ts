import { type CodeModeOptions, codeMode } from "codemode";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeTestFolder } from "../../make-test-folder.ts";

let shipped: string[] = [];

beforeEach(async () => {
  shipped = [];
  vi.stubEnv("XDG_STATE_HOME", await makeTestFolder());
});
afterEach(() => void vi.unstubAllEnvs());

interface Shipping {
  description?: string;
  more?: object;
  required?: string[];
}

/** A program with a tool that needs an approval, as it is deployed now. */
async function deploy({ description = "Ships an order", more = {}, required = ["id"] }: Shipping = {}) {
  const inputSchema = { type: "object", properties: { id: { type: "string" }, ...more }, required };
  const ship = {
    ...{ description, inputSchema, needsApproval: true },
    execute: async ({ id }: { id: string }) => {
      shipped.push(id);
      return { shipped: id };
    },
  };
  return codeMode({ shop: { ship } } as never, {} satisfies CodeModeOptions);
}

const CODE = `import { ship } from "@codemode/servers/shop"; export default await ship({ id: "1" });`;

/** A run that waits for a person, whose program has ended. */
async function leaveWaiting(): Promise<{ id: string; question: string }> {
  const code = await deploy();
  const id = await new Promise<string>((onBegun) => {
    void code.run({ code: CODE }, { durable: { onBegun, suspendAfterMs: 20 } });
  });
  const runs = await code.durableRuns();
  await expect.poll(() => runs.questions(), { timeout: 10_000 }).toHaveLength(1);
  await code.close();
  return { id, question: `${id}.1` };
}

test.each<[string, Shipping]>([
  ["its description has changed", { description: "Ships an order to its customer" }],
  ["it takes one more argument, which is optional", { more: { express: { type: "boolean" } } }],
])("a run goes on with a tool of which %s, and the answer of the person counts", async (_, change) => {
  const { id, question } = await leaveWaiting();
  const code = await deploy(change);
  const runs = await code.durableRuns();
  expect(await runs.answer(question, { verdict: "granted" })).toBe("given");
  expect(await runs.resume(id)).toMatchObject({ result: { shipped: "1" }, diagnostics: [] });
  expect(shipped).toEqual(["1"]);
  await code.close();
});

test("a run does not go on with a tool that needs another argument, unless the program says so; its question is put again then", async () => {
  const { id, question } = await leaveWaiting();
  const change = { more: { to: { type: "string" } }, required: ["id", "to"] };
  const code = await deploy(change);
  const runs = await code.durableRuns();
  expect(await runs.answer(question, { verdict: "granted" })).toBe("given");
  const [refused, ...others] = (await runs.resume(id)).diagnostics;
  expect(others).toEqual([]);
  expect(refused).toMatchObject({
    code: "LOCK_DRIFT",
    message: "The tool shop/ship has changed (breaking) since the run began.",
    hint: expect.stringMatching(/^Start the program with the tool as it was, or give `mayChange`/),
  });
  expect(refused?.hint).not.toMatch(/codemode diff|codemode bundle|lockfile/);
  const asked: (readonly string[])[] = [];
  const mayChange = (tools: readonly string[]): boolean => asked.push(tools) > 0;
  // The recorded call does not fit the tool any more: the script learns that, and nothing is called.
  expect((await runs.resume(id, { mayChange })).diagnostics).toMatchObject([{ code: "UNCAUGHT_EXCEPTION" }]);
  expect([asked, shipped]).toEqual([[["shop/ship"]], []]);
  await code.close();
});

test("a run does not go on with a tool that is gone, also where the program agrees, and goes on when it is back", async () => {
  const { id, question } = await leaveWaiting();
  const without = await codeMode({ shop: { list: { description: "Lists", execute: async () => [] } } } as never);
  const [gone] = (await (await without.durableRuns()).resume(id, { mayChange: () => true })).diagnostics;
  expect(gone).toMatchObject({ code: "LOCK_DRIFT", message: "The tool shop/ship is gone since the run began." });
  await without.close();
  const code = await deploy();
  const runs = await code.durableRuns();
  expect(await runs.answer(question, { verdict: "granted" })).toBe("given");
  expect(await runs.resume(id)).toMatchObject({ result: { shipped: "1" } });
  await code.close();
});
