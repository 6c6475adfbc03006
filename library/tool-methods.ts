import type { Requester } from "../engine/open-host.ts";
import { findSelection } from "../engine/select-tools.ts";
import { toHostReply } from "../runtime/host/call/to-reply.ts";
import type { Access } from "../schemas/access/access.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { serverIdOf } from "../schemas/lock/operations.ts";
import { assertSendable } from "./assert-sendable.ts";
import type { Engine, CallResult } from "./engine.ts";
import { toolCallFailed, toolUnnamed } from "./errors.ts";
import type { ServedEngine } from "./serve-engine.ts";

/**
 * Makes what calls single tools of an engine.
 * @param seenBy what an access shows of the lockfile
 * @param common what holds for every call, unless the call gives it
 */
export function makeToolMethods(
  { host, partsOf, track }: Pick<ServedEngine, "host" | "partsOf" | "track">,
  seenBy: (access: Access) => Lockfile,
  common: Pick<Requester, "access" | "approve" | "ask" | "approvalBy">,
): Pick<Engine, "tryTool" | "callTool"> {
  const tryTool: Engine["tryTool"] = (tool, input = {}, callOptions = {}) => {
    const { signal } = callOptions;
    return track(async (ends): Promise<CallResult> => {
      assertSendable(input, "input");
      const { withFindings, report: _report, emit: _emit, ...given } = await partsOf(callOptions);
      const place = placeOf(seenBy(given.access), tool);
      signal?.throwIfAborted();
      const asked = { ...place, input, ...common, ...given };
      const outcome = await host.callTool({ ...asked, signal: ends });
      // Why the call ended is then the caller's own affair, and no fault of the server's.
      if (!outcome.ok) signal?.throwIfAborted();
      const { diagnostics } = withFindings(outcome);
      if (!outcome.ok) return { reply: outcome, diagnostics };
      return { result: outcome.result, reply: toHostReply(outcome.result, place, outcome.hint), diagnostics };
    }, signal);
  };
  return {
    tryTool,
    async callTool(tool, input, callOptions) {
      const { reply } = await tryTool(tool, input, callOptions);
      if (reply.ok) return reply.value;
      throw toolCallFailed(reply.error.message, reply.error.hint);
    },
  };
}

/** The server and the tool that a word means. */
function placeOf(lockfile: Lockfile, word: string): { serverId: string; toolName: string } {
  const [selection] = findSelection(lockfile, word);
  const [tool] = selection?.tools ?? [];
  const isServer = selection?.server.id === word || selection?.server.name === word;
  if (selection === undefined || tool === undefined || isServer) throw toolUnnamed(word);
  return { serverId: serverIdOf(selection.server.id), toolName: tool.name };
}
