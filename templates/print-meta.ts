import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { printValue } from "../schemas/text/print-value.ts";

/** What `__meta__` of a server says (specification 5.2). */
export interface ServerMeta {
  serverId: string;
  serverName: string;
  serverVersion?: string | undefined;
  tools: readonly { toolName: string; exportName: string; description?: string }[];
}

/** The value of `__meta__`, as an expression. */
export function printMeta({ serverId, serverName, serverVersion, tools }: ServerMeta): string {
  return printValue({
    serverId,
    serverName,
    ...withoutUndefined({ serverVersion }),
    tools: tools.map(({ toolName, exportName, description }) => ({
      toolName,
      exportName,
      ...withoutUndefined({ description }),
    })),
  });
}
