import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { SERVERS } from "../../e2e/run-codemode.ts";

/** A running `codemode ui` in a project of its own. */
export interface StartedUi {
  url: string;
  folder: string;
  /** Makes the hostile server say something else than what was locked. */
  changeHostileServer(): Promise<void>;
  /** Ends it as Ctrl+C does, and removes the project. Resolves with the exit code. */
  end(): Promise<number | null>;
}

/** Starts `codemode ui` with two real servers and one whose texts are hostile. */
export async function startUi(): Promise<StartedUi> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-ui-"));
  const changed = join(folder, "changed");
  const config = {
    mcpServers: {
      filesystem: SERVERS.filesystem,
      memory: SERVERS.memory,
      strange: { command: process.execPath, args: [resolve("test/servers/hostile-texts.mjs"), changed] },
    },
    policy: { ask: ["memory/create_*"], askEach: ["memory/delete_relations"], deny: ["filesystem/move_file"] },
    scripts: { notes: { file: "notes.ts", description: "Reads the notes" } },
  };
  await writeFile(join(folder, "codemode.config.json"), JSON.stringify(config));
  await writeFile(join(folder, "notes.ts"), NOTES);
  await writeFile(join(folder, "notes.md"), "remember the milk");
  const { url, end } = await spawnUi(folder);
  return {
    url,
    folder,
    changeHostileServer: () => writeFile(changed, ""),
    async end() {
      const code = await end();
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/** Starts `codemode ui` in a folder. `lines` receives what it says; `end` is as Ctrl+C, and resolves with the exit code. */
export async function spawnUi(folder: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [resolve("dist/cli/main.js"), "ui", "--no-open"], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((settle) => child.once("close", settle));
  const lines: string[] = [];
  const url = await new Promise<string>((settle, fail) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      const found = /http:\S+/.exec(line)?.[0];
      if (found !== undefined) settle(found);
    });
    void ended.then((code) => fail(new Error(`it ended with ${code}: ${lines.join("\n")}`)));
  });
  return {
    url,
    lines,
    end() {
      child.kill("SIGINT");
      return ended;
    },
  };
}

const NOTES = `import { read_text_file } from "@codemode/servers/filesystem";

export default (await read_text_file({ path: "notes.md" })).content;
`;
