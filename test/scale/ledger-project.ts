import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { makeProject, runCodemode } from "../e2e/run-codemode.ts";

/** `INPUTS=100000 npm run test:scale` for the full size. */
export const INPUTS = Number(process.env["INPUTS"] ?? 2000);

const SCRIPT = `import { add } from "@codemode/servers/ledger";
export default await add({ line: globalThis.__codemode_input__.a });
`;

/** A project with the pinned script job.json, inputs.jsonl, and a server that writes down each call. */
export async function makeLedgerProject(serve: Record<string, string> = {}): Promise<string> {
  const args = [resolve("test/scale/ledger-server.mjs"), "${workspaceFolder}/ledger.txt"];
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { ledger: { command: process.execPath, args } }, serve },
    "job.js": SCRIPT,
  });
  const inputs = createWriteStream(join(cwd, "inputs.jsonl"));
  for (let line = 1; line <= INPUTS; line += 1) inputs.write(`{"a":${line}}\n`);
  inputs.end();
  await once(inputs, "close");
  expect(await runCodemode(["lock"], { cwd })).toMatchObject({ code: 0 });
  expect(await runCodemode(["bundle", "job.js", "-o", "job.json"], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

/** The inputs of all calls, in their order. */
export async function readCalls(cwd: string): Promise<number[]> {
  return (await readLedger(cwd)).map((line) => Number(line.split(" ", 1)[0]));
}

/** The keys of the runs of all calls. */
export async function readKeys(cwd: string): Promise<string[]> {
  return (await readLedger(cwd)).map((line) => line.slice(line.indexOf(" ") + 1));
}

async function readLedger(cwd: string): Promise<string[]> {
  return (await readFile(join(cwd, "ledger.txt"), "utf8")).split("\n").filter(Boolean);
}
