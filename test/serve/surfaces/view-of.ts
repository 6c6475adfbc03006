import { readFileSync } from "node:fs";
import { DEFAULTS, type ServeEntry } from "../../../schemas/config/config-file.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { parseLockfile } from "../../../schemas/lock/lockfile-text.ts";
import { toServeSettings } from "../../../schemas/config/serve-settings.ts";
import { present, type Presentation } from "../../../serve/present.ts";
import type { SavedScript } from "../../../schemas/run/saved-script.ts";
import type { ScriptRequest, ServedView, SurfaceCall, ToolCallResult } from "../../../serve/surface.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";

/** The lockfile of this repository: three real servers with 34 tools. */
export const ownLockfile: Lockfile = parseLockfile(
  readFileSync(new URL("../../../codemode.lock.json", import.meta.url), "utf8"),
  "codemode.lock.json",
);

/** As many servers as asked for, each with the tools of the three real ones: `server-0`, `server-1` and so on. */
export function manyServers(count: number): Lockfile {
  const real = [...ownLockfile.servers.values()];
  const servers = Array.from({ length: count }, (_, index) => {
    const server = real[index % real.length] as (typeof real)[number];
    return { ...server, id: `server-${index}` };
  });
  return { servers: new Map(servers.map((server) => [server.id, server])) };
}

/** One server with as many tools as asked for. */
export function manyTools(count: number): Lockfile {
  const tools = Array.from({ length: count }, (_, index) => ({
    name: `update_record_${index}`,
    description: `Updates record ${index}.`,
    inputSchema: { type: "object", required: ["id"], properties: { id: { type: "string" }, text: { type: "string" } } },
  }));
  return lockfileOf({ giant: tools });
}

/** What a view was asked to do. */
export interface Performed {
  scripts: ScriptRequest[];
  calls: { serverId: string; toolName: string; input: JsonValue }[];
}

/** A view whose runs and calls are written down; what they do is tested where they are made. */
export function viewOf(
  lockfile: Lockfile,
  scripts: readonly SavedScript[] = [],
): { view: ServedView; performed: Performed; replace(other: Lockfile): void } {
  const performed: Performed = { scripts: [], calls: [] };
  let current = lockfile;
  const view: ServedView = {
    lockfile: () => current,
    refresh: async () => undefined,
    limits: DEFAULTS.limits,
    savedScripts: async () => scripts,
    hasScript: async (name) => scripts.some((script) => script.name === name),
    async run(request) {
      performed.scripts.push(request);
      const result = "code" in request ? request.code.length : (request.input ?? null);
      return { logs: [], result, diagnostics: [], toolTrace: [] };
    },
    async callTool(serverId, toolName, input) {
      performed.calls.push({ serverId, toolName, input });
      return { content: [{ type: "text", text: "done" }] };
    },
  };
  return { view, performed, replace: (other) => void (current = other) };
}

/** A lockfile presented as the configuration says. */
export function presentationOf(lockfile: Lockfile, entry: ServeEntry = {}): Presentation {
  return present(viewOf(lockfile).view, toServeSettings(entry));
}

/** A request that is never cancelled, of a client that cannot ask a person. */
export const plainCall: SurfaceCall = {
  signal: new AbortController().signal,
  approve: async () => "unavailable",
};

/** The text of a call, and whether it is an error; undefined where there is no such tool. */
export async function callText(
  { surface }: Presentation,
  name: string,
  input: JsonValue = {},
): Promise<{ text: string; isError: boolean } | undefined> {
  const result = await (surface.callTool(name, input, plainCall) as Promise<ToolCallResult> | undefined);
  if (result === undefined) return undefined;
  return { text: String(result.content[0]?.["text"]), isError: result.isError === true };
}

/** The description of the tool that runs code. */
export async function runDescription(lockfile: Lockfile, entry: ServeEntry = {}): Promise<string> {
  const tools = await presentationOf(lockfile, entry).surface.listTools();
  const runTool = tools.find(({ outputSchema }) => outputSchema !== undefined);
  return String(runTool?.["description"]);
}
