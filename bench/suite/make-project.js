import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./run-program.js";

const inRepository = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

// The projects here are our own; what is started for them inherits it.
process.env["CODEMODE_TRUST"] = "1";

/** The command as it is installed. */
export const CLI = inRepository("dist/program/codemode.cjs");

/** The server that everybody calls: `echo` of the reference server, over stdio. */
export const ECHO_SERVER = {
  command: process.execPath,
  args: [inRepository("node_modules/@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
};

/** A server whose tool `text` answers with so many bytes of JSON. */
export const PAYLOAD_SERVER = { command: process.execPath, args: [inRepository("bench/suite/payload-server.mjs")] };

/** A folder with a configuration, locked and generated. `remove` deletes it. */
export async function makeProject(servers, settings = {}) {
  const folder = await mkdtemp(join(tmpdir(), "codemode-bench-"));
  await writeFile(join(folder, "codemode.config.json"), JSON.stringify({ mcpServers: servers, ...settings }));
  await runProgram(CLI, ["lock"], { cwd: folder });
  await runProgram(CLI, ["generate"], { cwd: folder });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
