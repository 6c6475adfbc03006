import { decodeUtf8 } from "@codemode/runtime/connections/decode-text";
import { refused } from "../../runtime/host/checks/refuse.ts";
import type { AnswerSubject } from "../../runtime/host/call/handle-calls.ts";
import { makeDiscovery } from "../../runtime/host/discovery/make-discovery.ts";
import { DISCOVERY } from "../../runtime/sandbox/pool/host-subjects.ts";
import { parseForeignJson } from "../../schemas/json/foreign-json.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { memoizeByLockfile } from "../../schemas/lock/memoize-by-lockfile.ts";
import { signatureOf } from "../../templates/emit-signature.ts";
import type { RunRequest } from "./host.ts";

/** One for each lockfile, however many runs it serves. */
const discoveryOf = memoizeByLockfile((lockfile) => makeDiscovery(lockfile, signatureOf));

/**
 * Makes what answers a script that asks for tools, saved scripts or the results of earlier runs.
 * @param visible the tools that exist for the script
 */
export function answerSubjects(visible: Lockfile, { listScripts, results }: RunRequest): AnswerSubject {
  const discover = discoveryOf(visible);
  return async ({ serverId, toolName, input }) => {
    if (serverId !== DISCOVERY) return readResult(results?.read(toolName));
    if (toolName === "listScripts") return { ok: true, value: (await listScripts?.()) ?? [] };
    return discover(toolName, input);
  };
}

/** A result is text of a sandbox's making, which nothing has parsed yet. */
function readResult(json: Buffer | undefined): ReturnType<AnswerSubject> {
  if (json === undefined)
    return refused("ToolCallError", "There is no such result any more.", "Run the script that returned it again.");
  const readValue = () => parseForeignJson(decodeUtf8(json));
  return { ok: true, json, checkLater: () => undefined, readValue };
}
