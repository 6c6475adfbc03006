import { MCPClient } from "mcp-use/client";
import { writeBody } from "../contenders/write-script.js";

/** mcp-use in its code mode: scripts run in `node:vm`, in the process that holds the credentials. */
export async function open({ server }) {
  const client = new MCPClient({ mcpServers: { everything: server } }, { codeMode: true });
  await client.createAllSessions();
  return {
    async run(work) {
      const { statements, remark } = writeBody(work, 'everything.echo({ message: "hello" })');
      const { result, error } = await client.executeCode(`${statements}return last ?? 1;${remark}`);
      if (error) throw new Error(error);
      return result;
    },
    close: () => client.close(),
  };
}
