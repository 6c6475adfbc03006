import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CLI } from "../suite/make-project.js";
import { codemodeScript } from "./codemode-script.js";

/** `codemode serve` over stdio, as an agent meets it, in a copy of the project with its own level of isolation. */
export async function open({ project, isolation }) {
  const folder = await mkdtemp(join(tmpdir(), "codemode-bench-"));
  await cp(project, folder, { recursive: true });
  const file = join(folder, "codemode.config.json");
  const config = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...config, sandbox: { isolation } }));
  const client = new Client({ name: "bench", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "serve", "--trust"],
    cwd: folder,
    // The SDK passes few variables on by itself: the cache folder would be another one.
    env: process.env,
  });
  await client.connect(transport);
  return {
    async run(work) {
      const params = { name: "codemode.run", arguments: { code: codemodeScript(work) } };
      const answer = await client.callTool(params, undefined, { timeout: 120_000 });
      if (answer.isError === true) throw new Error(JSON.stringify(answer.content).slice(0, 300));
      return answer;
    },
    async close() {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
