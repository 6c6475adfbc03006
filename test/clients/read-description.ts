import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** The whole description of codemode's tool, as `codemode serve` lists it for a client that it does not know. */
export async function readDescription(
  { command, args }: { command: string; args: string[] },
  environment: Record<string, string>,
): Promise<string> {
  const client = new Client({ name: "trial", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args, env: environment, stderr: "ignore" }));
  try {
    const { tools } = await client.listTools();
    return tools[0]?.description ?? "";
  } finally {
    await client.close();
  }
}
