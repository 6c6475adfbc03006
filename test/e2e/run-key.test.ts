import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject } from "./run-codemode.ts";
import { initialize, openWire } from "./serve-clients.ts";

const META = { command: process.execPath, args: [resolve("test/servers/meta-server.mjs")] };
const SCRIPT = `import { meta } from "@codemode/servers/meta";
  const given = await meta({});
  export default { own: __codemode_run__, isFrozen: Object.isFrozen(__codemode_run__), given: given["dev.codemode/run-key"] };`;

const seen = (key: unknown): JsonObject => ({ own: { key: key as string }, isFrozen: true, given: key as string });

test("the key of a run is the script's, its servers', the answer's and the audit log's, and a replay has the same", async () => {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { meta: META }, audit: { file: "audit.jsonl" } },
    "job.ts": SCRIPT,
  });
  const run = (...words: string[]) => typeCommand(["run", "job.ts", "--json", ...words], { cwd });
  const keyed = await run("--key", "orders/17", "--record", "run.json");
  expect(JSON.parse(keyed.stdout)).toMatchObject({ result: seen("orders/17"), key: "orders/17", diagnostics: [] });
  const replayed = await typeCommand(["replay", "run.json", "--json"], { cwd });
  expect(JSON.parse(replayed.stdout)).toMatchObject({ result: seen("orders/17"), diagnostics: [] });

  const made = JSON.parse((await run()).stdout) as { result: { given: string } };
  expect(made).toMatchObject({ result: seen(expect.stringMatching(/^[0-9a-f-]{36}$/)) });
  expect(made).not.toHaveProperty("key");

  const wire = openWire(cwd);
  await initialize(wire);
  const call = async (input: JsonObject, _meta: JsonObject = {}) =>
    (await wire.ask("tools/call", { name: "codemode.run", arguments: { code: SCRIPT, ...input }, _meta })).result;
  const [byArgument, byMeta, hostile] = [
    await call({ key: "k:1" }),
    await call({}, { "dev.codemode/run-key": "k:2" }),
    await call({ key: "k\n1" }),
  ];
  expect(byArgument).toMatchObject({ structuredContent: { key: "k:1", result: seen("k:1") } });
  expect(byMeta).toMatchObject({ structuredContent: { key: "k:2", result: seen("k:2") } });
  expect(hostile).toMatchObject({
    isError: true,
    structuredContent: { diagnostics: [{ code: "INVALID_REQUEST" }] },
  });

  const audited = (await readFile(join(cwd, "audit.jsonl"), "utf8")).trimEnd().split("\n");
  const starts = audited.map((line) => JSON.parse(line) as JsonObject).filter(({ event }) => event === "run.started");
  expect(starts.map(({ key }) => key)).toEqual(["orders/17", made.result.given, "k:1", "k:2"]);
});

test("each input of a batch has a key of its own, which it keeps when the batch is continued", async () => {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { meta: META } },
    "job.ts": SCRIPT.replace(
      "export default",
      "if (__codemode_input__ === 2) throw new Error(__codemode_run__.key); export default",
    ),
    "inputs.jsonl": "1\n2\n2\n",
  });
  const run = (...words: string[]) => typeCommand(["run", "job.ts", "--inputs", "inputs.jsonl", ...words], { cwd });
  const keysOf = (stdout: string): string[] =>
    [...stdout.matchAll(/[0-9a-f-]{36}\/\d+\/[\w-]{22}/g)].map(([key]) => key);
  const [first, second] = [await run(), await run()];
  const [one = "", , two = "", three = ""] = keysOf(first.stdout);
  const [batch = ""] = one.split("/");
  expect(JSON.parse(first.stdout.split("\n", 1)[0] ?? "")).toMatchObject({ line: 1, ok: true, result: seen(one) });
  expect([two, three].map((key) => key.split("/").slice(0, 2))).toEqual([
    [batch, "2"],
    [batch, "3"],
  ]);
  expect(keysOf(second.stdout)).toEqual(keysOf(first.stdout));
  expect(await run("--key", "k")).toMatchObject({ code: 2, stderr: expect.stringContaining("--key") });
});
