import { spawn } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";

/** Writes a project with the documentation in it, and a policy that says more than yes. */
export async function writeProject(root, folder) {
  await mkdir(folder, { recursive: true });
  await cp(join(root, "docs"), join(folder, "docs"), { recursive: true });
  const server = (name, ...args) => ({
    command: process.execPath,
    args: [join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
  });
  // What shows of its entry is the same on every machine.
  const tickets = JSON.stringify(pathToFileURL(join(root, "scripts/screenshots/tickets-server.mjs")).href);
  await writeFile(join(folder, "tickets.mjs"), `import ${tickets};\n`);
  const config = {
    mcpServers: {
      everything: server("everything", "stdio"),
      filesystem: server("filesystem", "."),
      memory: { ...server("memory"), env: { MEMORY_FILE_PATH: "${workspaceFolder}/memory.jsonl" } },
      tickets: { command: "node", args: ["tickets.mjs", "changed"] },
    },
    policy: { ask: ["memory/create_*"], deny: ["filesystem/move_file"] },
  };
  await writeFile(join(folder, "codemode.config.json"), JSON.stringify(config));
  return { changeTickets: () => writeFile(join(folder, "changed"), "") };
}

/** Starts `codemode ui` in a folder. */
export async function startUi(root, cwd) {
  const words = [join(root, "dist/cli/main.js"), "ui", "--no-open"];
  const env = { ...process.env, CODEMODE_TRUST: "1" };
  const child = spawn(process.execPath, words, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((settle) => child.once("close", settle));
  const url = await new Promise((settle, fail) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const found = /http:\S+/.exec(line)?.[0];
      if (found !== undefined) settle(found);
    });
    void ended.then((code) => fail(new Error(`codemode ui ended with ${code}`)));
  });
  return {
    url,
    end() {
      child.kill("SIGINT");
      return ended;
    },
  };
}
