import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { MARK } from "./scenarios.ts";
import { runCommand } from "./run-command.ts";
import { writeJson } from "./write-json.ts";

/** The variable with the token of the server over HTTP, and its value in trials. */
export const TOKEN = { name: "CODEMODE_TOKEN", value: "a-token-of-the-trials-0123456789abcdef" };

const ROOT = resolve(import.meta.dirname, "../..");
const server = (name: string): string => join(ROOT, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

/** What runs codemode in a project, as npm would have installed it there. */
export const PROGRAM = "node_modules/codemode/dist/cli/main.js";

/**
 * Makes a project of three servers with 36 tools, of which one needs approval and one is denied. Its packages are generated, and the account of
 * `environment` trusts it.
 */
export async function makeProject(
  folder: string,
  environment: Record<string, string>,
  settings: { hasToken: boolean; longSeconds: number; policy?: object },
): Promise<void> {
  await mkdir(join(folder, "notes"), { recursive: true });
  // Clients look for the root of a repository.
  await runCommand(["git", "init", "--quiet"], { folder, environment, seconds: 10 });
  await mkdir(join(folder, "node_modules/.bin"), { recursive: true });
  await symlink(ROOT, join(folder, "node_modules/codemode"));
  await symlink(join("..", "codemode/dist/cli/main.js"), join(folder, "node_modules/.bin/codemode"));
  await writeFile(join(folder, "notes/monday.md"), `- [ ] ${MARK}\n- [x] Grace: fix the build\n`);
  await writeJson(join(folder, "package.json"), { name: "trial", private: true });
  const callSeconds = settings.longSeconds + 60;
  await writeJson(join(folder, "codemode.config.json"), {
    mcpServers: {
      files: { command: "node", args: [server("filesystem"), "."] },
      memory: {
        command: "node",
        args: [server("memory")],
        env: { MEMORY_FILE_PATH: "${workspaceFolder}/memory.jsonl" },
      },
      everything: { command: "node", args: [server("everything"), "stdio"], timeoutMs: callSeconds * 1000 },
    },
    policy: { allow: ["*"], ask: ["files/write_file"], deny: ["files/move_file"], ...settings.policy },
    limits: { timeoutMs: callSeconds * 1000 },
    ...(settings.hasToken ? { serve: { token: `\${${TOKEN.name}}` } } : {}),
  });
  await runCodemode(folder, environment, ["trust"]);
  await runCodemode(folder, environment, ["generate"]);
}

/** Gives the project other settings of `codemode serve`. */
export async function setServe(folder: string, serve: object): Promise<void> {
  const file = join(folder, "codemode.config.json");
  const config = JSON.parse(await readFile(file, "utf8")) as object;
  await writeJson(file, { ...config, serve });
}

/** Runs a command of codemode in a project, and throws with its output if it fails. */
export async function runCodemode(
  folder: string,
  environment: Record<string, string>,
  args: readonly string[],
): Promise<string> {
  const words = [process.execPath, join(folder, PROGRAM), ...args];
  const { code, output } = await runCommand(words, { folder, environment, seconds: 120 });
  if (code !== 0) throw new Error(`codemode ${args.join(" ")} failed in ${folder}:\n${output}`);
  return output;
}
