import type { Config } from "../schemas/config/config.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { estimateTokens } from "../schemas/text/estimate-tokens.ts";
import { present } from "./present.ts";

/** Estimated tokens that an agent's context holds before it has done anything. */
export interface ListTokens {
  /** With the lists of the servers themselves. */
  plain: number;
  /** With the list of `codemode serve`. */
  codemode: number;
}

/** Measures the answers of `tools/list` as JSON: of the locked servers, and of codemode with this configuration in front of them. */
export async function measureLists(lockfile: Lockfile, { serve, limits }: Config): Promise<ListTokens> {
  const tools = [...lockfile.servers.values()].flatMap((server) =>
    server.tools.map(({ name, title, description, inputSchema, outputSchema, annotations, outputSchemaFrom }) =>
      withoutUndefined({
        ...{ name, title, description, inputSchema, annotations },
        outputSchema: outputSchemaFrom === undefined ? outputSchema : undefined,
      }),
    ),
  );
  const view = {
    ...{ lockfile: () => lockfile, limits, savedScripts: async () => [], refresh: async () => undefined },
    ...{ hasScript: async () => false, run: refuse, callTool: refuse },
  };
  const own = await present(view, serve).surface.listTools();
  return { plain: estimateTokens(JSON.stringify({ tools })), codemode: estimateTokens(JSON.stringify({ tools: own })) };
}

async function refuse(): Promise<never> {
  throw new Error("A list that is measured has no calls");
}
