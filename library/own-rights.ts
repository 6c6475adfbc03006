import type { RunCaller } from "@codemode/runtime/connections/server-connection";
import { type Access, accessVerdict } from "../schemas/access/access.ts";
import type { Config } from "../schemas/config/config.ts";
import { isEnabledFor, type ProgramTool } from "../schemas/config/program-server.ts";

/** What a context may see and do, and what the program's own tools learn of it. */
export interface Rights {
  access: Access;
  caller: RunCaller;
}

/** The rights of contexts. Nothing of a context is kept. */
export type OwnRights = (access: Access, caller: RunCaller) => Promise<Rights>;

/** A tool of the program, and where it is. */
interface PlacedTool {
  place: string;
  serverId: string;
  tool: ProgramTool;
}

/** The functions of a program, in the order of the configuration. */
export function listOwnTools({ servers }: Pick<Config, "servers">): PlacedTool[] {
  return servers.flatMap(({ id: serverId, source }) =>
    source.transport === "program" && source.program.kind === "functions"
      ? [...source.program.tools].map(([name, tool]) => ({ place: `${serverId}/${name}`, serverId, tool }))
      : [],
  );
}

function withHidden({ hidden: _, ...access }: Access, hidden: readonly string[]): Access {
  return hidden.length === 0 ? access : { ...access, hidden };
}

/** Makes what looks at guards and approvals of own tools. */
export function makeOwnRights(config: Config): OwnRights {
  const tools = listOwnTools(config);
  const guarded = tools.filter(({ tool }) => tool.isEnabled !== undefined);
  const asking = tools.filter(({ tool }) => tool.needsApproval !== undefined);
  const { askEach = [] } = config.policy;
  // Where the tools themselves are not heard (`withOwnServers` puts them last).
  const written = { ...config.policy, askEach: askEach.slice(0, askEach.length - asking.length) };

  return async (access, caller) => {
    const { context } = caller;
    const enabled = await Promise.all(guarded.map(({ tool }) => isEnabledFor(tool, context)));
    const hidden = guarded.filter((_, index) => !enabled[index]).map(({ place }) => place);
    const policies = access.policies.map((policy) => (policy === config.policy ? written : policy));
    const needsApproval: RunCaller["needsApproval"] = async ({ serverId, toolName }, input) => {
      const found = asking.find(({ place }) => place === `${serverId}/${toolName}`);
      // What the policy asks about, no tool can allow.
      if (found === undefined || accessVerdict({ ...access, policies }, serverId, found.tool.definition) === "askEach")
        return true;
      return found.tool.needsApproval?.(input, context) ?? true;
    };
    return {
      access: hidden.length === 0 && access.hidden === undefined ? access : withHidden(access, hidden),
      caller: asking.length === 0 ? caller : { ...caller, needsApproval },
    };
  };
}
