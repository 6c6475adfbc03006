import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** Connects to an MCP server over stdio; `env` replaces the environment where it is given. */
export async function connect(command, args, env) {
  const client = new Client({ name: "bench", version: "1" });
  const transport = new StdioClientTransport({ command, args, stderr: "pipe", ...(env && { env }) });
  let said = "";
  transport.stderr.on("data", (chunk) => (said += chunk));
  try {
    await client.connect(transport, { timeout: 200_000 });
  } catch (error) {
    // A server that ends says why before.
    throw new Error(/^(?:\w*Error|error): (.*)$/im.exec(said)?.[1] ?? error.message, { cause: error });
  }
  return client;
}

/** All tools of a server, as a client gets them. */
export async function listOverMcp(args) {
  const client = await connect(process.execPath, args);
  try {
    const { tools } = await client.listTools({}, { timeout: 110_000 });
    const { name, version } = client.getServerVersion() ?? {};
    return { tools, serverInfo: { name, version } };
  } catch (error) {
    throw new Error(`the SDK's client refuses its list: ${printIssues(error)}`, { cause: error });
  } finally {
    await client.close();
  }
}

function printIssues({ message }) {
  const at = message.indexOf("[");
  const [{ message: issue, path } = {}] = at < 0 ? [] : JSON.parse(message.slice(at));
  return issue === undefined ? message : `${issue} (${path.join(".")})`;
}
