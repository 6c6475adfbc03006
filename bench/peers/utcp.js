// oxlint-disable-next-line import/no-unassigned-import -- it registers itself
import "@utcp/mcp";
import { CodeModeUtcpClient } from "@utcp/code-mode";
import { writeBody } from "../contenders/write-script.js";

/** UTCP: scripts run in an isolate of V8 (isolated-vm), in the process that holds the credentials. Its calls block the script. */
export async function open({ server }) {
  const client = await CodeModeUtcpClient.create();
  const registered = await client.registerManual({
    name: "bench",
    call_template_type: "mcp",
    config: { mcpServers: { everything: { transport: "stdio", ...server } } },
  });
  if (!registered.success) throw new Error(String(registered.errors));
  return {
    async run(work) {
      if (work.parallel) throw new Error("its calls block the script: none can run beside another");
      const { statements, remark } = writeBody(work, 'bench.everything_echo({ message: "hello" })');
      const { result, logs } = await client.callToolChain(
        `${statements.replaceAll("await ", "")}return last ?? 1;${remark}`,
      );
      if (result === null || result === undefined) throw new Error(String(logs));
      return result;
    },
    close: () => client.close?.(),
  };
}
