import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import { makeProject, runCodemode } from "./run-codemode.ts";
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
  const run = (...words: string[]) => runCodemode(["run", "job.ts", "--json", ...words], { cwd });
  const keyed = await run("--key", "orders/17", "--record", "run.json");
  expect(JSON.parse(keyed.stdout)).toMatchObject({ result: seen("orders/17"), key: "orders/17", diagnostics: [] });
  const replayed = await runCodemode(["replay", "run.json", "--json"], { cwd });
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
