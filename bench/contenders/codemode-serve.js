import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CLI } from "../suite/make-project.js";
import { codemodeScript } from "./codemode-script.js";

/** `codemode serve` over stdio, as an agent meets it. */
export async function open({ project }) {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "serve", "--trust"],
    cwd: project,
  });
  await client.connect(transport);
  return {
    async run(work) {
      const params = { name: "codemode.run", arguments: { code: codemodeScript(work) } };
      const answer = await client.callTool(params, undefined, { timeout: 120_000 });
      if (answer.isError === true) throw new Error(JSON.stringify(answer.content).slice(0, 300));
      return answer;
    },
    close: () => client.close(),
  };
}
