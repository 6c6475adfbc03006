import { spawn } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { CLIENT_IDS, type ClientId, listClientFiles } from "../../engine/project/clients/client-files.ts";
import { commandOf } from "../../engine/project/clients/entry-parts.ts";
import { listClientEntries } from "../../engine/project/clients/parse-client-file.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject, STAND_INS } from "./run-codemode.ts";
import { shareInFile, whenDone } from "./share-in-file.ts";

/** A project that has codemode installed, and a folder below it. */
async function makeInstalled(): Promise<{ cwd: string; below: string; env: Record<string, string> }> {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { everything: STAND_INS.everything } } });
  const [below, home] = [join(cwd, "src", "deep"), await makeProject({})];
  await mkdir(below, { recursive: true });
  await mkdir(join(cwd, "node_modules"));
  await symlink(resolve("."), join(cwd, "node_modules", "codemode"));
  await mkdir(join(cwd, "node_modules", ".bin"));
  await symlink("../codemode/dist/cli/main.js", join(cwd, "node_modules", ".bin", "codemode"));
  return { cwd, below, env: { HOME: home, XDG_CONFIG_HOME: join(home, ".config") } };
}

/** The command of the entry that a client would get, with what the client fills in. */
async function commandFor(client: ClientId, cwd: string, env: Record<string, string>): Promise<string[]> {
  const printed = await typeCommand(["install", client, "--print"], { cwd, env });
  const places = { folder: cwd, home: env["HOME"] ?? "", platform: process.platform, env };
  const path = /, in (.*):\n/.exec(printed.stderr)?.[1];
  const file = listClientFiles(places).find((one) => one.path === path);
  if (file === undefined) throw new Error(`${client}: ${printed.stderr}`);
  const [[, entry] = ["", {}]] = listClientEntries(printed.stdout, file);
  return commandOf(entry).map((word) => word.replaceAll("${workspaceFolder}", cwd));
}

/** The name of the server that answers `initialize`. */
async function initialize([command = "", ...args]: readonly string[], cwd: string, env: Record<string, string>) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "ignore"] });
  whenDone(() => void child.kill("SIGKILL"));
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  const line = await new Promise<string>((settle) => {
    child.stdout.setEncoding("utf8").once("data", settle);
    child.once("exit", () => settle("{}"));
  });
  child.stdin.end();
  return (JSON.parse(line) as { result?: { serverInfo: { name: string } } }).result?.serverInfo.name;
}

const installed = shareInFile(makeInstalled);

/** What answers each command: many clients get the same one. */
const answers = new Map<string, Promise<string | undefined>>();

test.each(CLIENT_IDS)("the entry of %s starts codemode from a folder below the project", async (client) => {
  const { cwd, below, env } = installed();
  const command = await commandFor(client, cwd, env);
  const key = JSON.stringify(command);
  const answer = answers.get(key) ?? initialize(command, below, env);
  answers.set(key, answer);
  expect(await answer).toBe("codemode");
});
