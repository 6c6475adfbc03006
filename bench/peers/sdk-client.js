import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

/** Connects a plain client of the SDK. */
export async function connect({ command, args }) {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args }));
  return client;
}

/** The same calls without any script: nothing is parsed, checked or confined. */
export async function open({ server }) {
  const client = await connect(server);
  const echo = () => client.callTool({ name: "echo", arguments: { message: "hello" } });
  return {
    async run({ calls, parallel = false, bytes }) {
      if (bytes !== undefined) return (await client.callTool({ name: "rows", arguments: { bytes } })).structuredContent;
      if (parallel) return Promise.all(Array.from({ length: calls }, echo));
      let last;
      for (let call = 0; call < calls; call += 1) last = await echo();
      return last;
    },
    close: () => client.close(),
  };
}
