import type { RunCaller } from "@codemode/runtime/connections/server-connection";
import type { Access } from "../schemas/access/access.ts";
import type { Config } from "../schemas/config/config.ts";
import { isEnabledFor, type ProgramTool, type ToolRules } from "../schemas/config/program-server.ts";

/** What a context may see and do, and what the program's own tools learn of it. */
export interface Rights {
  access: Access;
  caller: RunCaller;
}

/** The rights of contexts. Nothing of a context is kept. */
export type OwnRights = (access: Access, caller: RunCaller) => Promise<Rights>;

/** The rules of the program's own tools, and of a function its check, by SERVER/TOOL. */
export function listOwnTools({
  own = [],
}: Pick<Config, "own">): Map<string, ToolRules & Partial<Pick<ProgramTool, "check">>> {
  const places = own.flatMap(({ id, source }) =>
    [...source.program.tools].map(([name, rules]) => [`${id}/${name}`, rules] as const),
  );
  return new Map(places);
}

/** Makes what looks at guards and approvals of own tools. */
export function makeOwnRights(config: Config): OwnRights {
  const tools = listOwnTools(config);
  const guarded = [...tools].filter(([, { isEnabled }]) => isEnabled !== undefined);
  const asking = [...tools].flatMap(([place, { needsApproval }]) => (needsApproval === undefined ? [] : [place]));
  if (guarded.length === 0 && asking.length === 0) return async (access, caller) => ({ access, caller });

  return async (access, caller) => {
    const { context, onFailed } = caller;
    const enabled = await Promise.all(guarded.map(([, rules]) => isEnabledFor(rules, context, onFailed)));
    const hidden = guarded.flatMap(([place], index) => (enabled[index] === true ? [] : [place]));
    const needsApproval: RunCaller["needsApproval"] = ({ serverId, toolName }, input) =>
      tools.get(`${serverId}/${toolName}`)?.needsApproval?.(input, context) ?? true;
    return {
      access: { ...access, asking, hidden: hidden.length === 0 ? undefined : hidden },
      caller: { ...caller, needsApproval },
    };
  };
}
