import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { nearestName } from "@codemode/runtime/nearest-name";
import type { Access } from "../schemas/access/access.ts";
import { type Diagnostic, failedAnswer, type RunAnswer, type ToolTraceEntry } from "../schemas/run/answer.ts";
import type { RunLimits, TraceMode } from "../schemas/config/config-file.ts";
import type { Config } from "../schemas/config/config.ts";
import { isJsonObject, type JsonObject } from "../schemas/json/json.ts";
import { toSandboxSettings } from "../schemas/config/sandbox-settings.ts";
import { describeSandbox } from "../schemas/run/sandbox-metadata.ts";
import { toSourceLiteral } from "../schemas/text/visible-text.ts";
import type { Host, RunCaller, RunRequest } from "../engine/open-host.ts";
import { type SavedScript, toScriptInfo } from "../schemas/run/saved-script.ts";
import type { SavedScripts, ScriptProgram } from "../engine/saved-scripts.ts";
import { makeResultCache, MOST_BYTES, type ResultCache } from "./answers/result-cache.ts";
import { makeServedResult } from "./answers/served-result.ts";
import { describeMissingResult } from "../schemas/run/missing-result.ts";
import { withoutReason } from "../schemas/run/unreachable-server.ts";
import type { ScriptRequest, ServedView, SurfaceCall, ToolCallResult } from "./surface.ts";
import type { DurableRuns } from "../engine/extras.ts";
import { PROCESS_ENDS } from "./agent/calls-in-flight.ts";

export interface ViewOptions {
  host: Host;
  scripts: SavedScripts;
  /** Where runs are durable. */
  durable?: DurableRuns | undefined;
  config: Config;
  access: Access;
  /** Who asks, where the program that serves has tools of its own. */
  callerOf?: (() => RunCaller | undefined) | undefined;
  /** Those in the memory of this process unless given. */
  cache?: ResultCache | undefined;
}

/** What is to be run, or why it cannot be. */
type FoundProgram = { ok: true; program: ScriptProgram } | { ok: false; diagnostics: Diagnostic[] };

/** What one client may see of a host, and what it may do there. */
export function makeView({
  host,
  scripts,
  durable,
  config,
  access,
  callerOf,
  cache = makeResultCache(),
}: ViewOptions): ServedView {
  const sandbox = describeSandbox(toSandboxSettings(config.sandbox));
  const lockfile = () => host.visibleLockfile(access);
  const savedScripts = () => scripts.list(access);
  const listScripts = async () => (await savedScripts()).map(toScriptInfo);

  const findProgram = async (request: ScriptRequest): Promise<FoundProgram> => {
    if ("code" in request) return { ok: true, program: { script: { code: request.code, name: "script.ts" } } };
    const found = await scripts.find(request.script, access);
    if (found !== undefined) return found;
    return { ok: false, diagnostics: [describeUnknownScript(request.script, await savedScripts())] };
  };
  return {
    lockfile,
    refresh: () => host.refresh(),
    limits: config.limits,
    savedScripts,
    hasScript: (name) => scripts.has(name, access),
    async run(request, call) {
      const { signal, emit, wantsProgress, approve, ask, askOutside, askOperator } = call;
      const caller = call.caller ?? callerOf?.();
      const session = ownerOf(call.session, caller);
      const key = request.key ?? call.key;
      const found = await findProgram(request);
      if (!found.ok) return failedAnswer(found.diagnostics);
      const { input = null, limits, requestedCapabilities } = request;
      const { servers } = lockfile();
      const requested = [...new Set(requestedCapabilities)];
      const failures = host.connectSoon(
        requested.filter((id) => servers.has(id)),
        access,
      );
      const maxBytes = servedResultBytes(limits, config);
      const served = makeServedResult(cache, session, maxBytes, takesMedia(call));
      if ("code" in request) await cache.fetch(session, request.code);
      const answer = await runFor(
        call,
        { host, durable },
        {
          ...{ ...found.program, input, key, limits, access: { ...access }, signal, ...approvalOf(call) },
          caller,
          ...withoutUndefined({ savedAs: "script" in request ? request.script : undefined }),
          ...{ emit, wantsProgress, approve, ask, askOutside, askOperator, listScripts },
          result: { maxBytes: longestResult(config), read: served.read },
          results: cache.of(session),
        },
      );
      await cache.settled();
      const missing = requested.filter((id) => !servers.has(id));
      return {
        ...answer,
        diagnostics: [...listFindings(answer, request, failures(), missing), ...served.findings()],
        toolTrace: sumTrace(answer.toolTrace, config.serve.trace),
        media: served.media(),
        sandbox,
        ...withoutUndefined({ key }),
      };
    },
    async callTool(serverId, toolName, input, call) {
      const { signal, approve, ask, emit, wantsProgress } = call;
      const asked = { serverId, toolName, input, access: { ...access }, approve, ask, emit, wantsProgress, signal };
      const caller = call.caller ?? callerOf?.();
      const outcome = await host.callTool({ ...asked, caller, ...approvalOf(call) });
      return outcome.ok ? toResult(outcome.result) : toFailure(`${outcome.error.message}\n${outcome.error.hint}`);
    },
  };
}

/** What an agent reads of its run: the host of a program has a person for its reader. */
function listFindings(
  answer: RunAnswer,
  request: ScriptRequest,
  failures: readonly Diagnostic[],
  missing: readonly string[],
): Diagnostic[] {
  // A server that the script uses has been looked at by then, and said to be unavailable.
  const said = new Set(answer.diagnostics.map(({ message }) => message));
  const unavailable = failures.filter(({ message }) => !said.has(message));
  const silent = "code" in request ? describeMissingResult(request.code, answer) : [];
  return [
    ...[...answer.diagnostics, ...unavailable].map(withoutReason),
    ...missing.map(describeMissingCapability),
    ...silent,
  ];
}

function takesMedia({ takesMedia: wanted, client }: SurfaceCall): boolean {
  return wanted ?? client !== undefined;
}

/** Whose long results are whose: of a session, and in it of a person where the program says who that is. */
function ownerOf(session = "", caller: RunCaller | undefined): string {
  const person = caller?.person?.();
  return person === undefined ? session : JSON.stringify([session, person]);
}

/** Runs for a client. A durable run is left as it is where this process ends, and cancelled where its client wants that. */
async function runFor(
  { runId, onSuspended, entersLate }: SurfaceCall,
  { host, durable }: Pick<ViewOptions, "host" | "durable">,
  request: RunRequest,
): Promise<RunAnswer> {
  if (durable === undefined) return host.run(request);
  const [leave, cancel] = [new AbortController(), new AbortController()];
  const { signal } = request;
  const onAbort = (): void => (signal?.reason === PROCESS_ENDS ? leave : cancel).abort();
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  const id = request.key === undefined ? runId?.() : undefined;
  const own = { signal: leave.signal, cancel: cancel.signal, onSuspended, entersLate, id };
  return durable.begin({ ...request, ...own }).finally(() => signal?.removeEventListener("abort", onAbort));
}

/** Bytes of a result that an answer holds: what the call asks for, within the limit of all runs. */
function servedResultBytes({ maxResultBytes: asked }: Partial<RunLimits>, { serve, limits }: Config): number {
  const isAsked = typeof asked === "number" && asked >= 0;
  return Math.min(isAsked ? asked : serve.maxResultBytes, limits.maxResultBytes);
}

/** A script needs the memory for a value, its text and the bytes that are sent. */
function longestResult({ limits }: Config): number {
  return Math.min(Math.floor(limits.maxMemoryBytes / 4), MOST_BYTES);
}

function approvalOf({
  trace,
  runId,
  approvalBy = "form",
}: SurfaceCall): Pick<RunRequest, "approvalBy" | "runId" | "trace"> {
  return { approvalBy, ...withoutUndefined({ trace, runId }) };
}

const MAX_NAMES = 20;

/** Names none that this client may not run. */
function describeUnknownScript(name: string, known: readonly SavedScript[]): Diagnostic {
  const names = known.map((script) => script.name);
  const nearest = nearestName(name.slice(0, 64), names);
  const listed = names.slice(0, MAX_NAMES).join(", ");
  const hint =
    nearest !== undefined
      ? `Did you mean "${nearest}"?`
      : names.length > 0
        ? `The saved scripts are: ${listed}${names.length > MAX_NAMES ? ", …" : ""}.`
        : "There are no saved scripts: send code.";
  return {
    severity: "error",
    code: "SCRIPT_UNAVAILABLE",
    message: `There is no saved script ${toSourceLiteral(name.slice(0, 100))}.`,
    hint,
  };
}

/** Specification 3.2.3: a host must not silently claim what it cannot provide. */
function describeMissingCapability(id: string): Diagnostic {
  return {
    severity: "warning",
    code: "SERVER_UNAVAILABLE",
    message: `There is no server "${id}".`,
    hint: "Request only existing servers: listServers() of @codemode/discovery lists them.",
  };
}

/** What a server sent, as far as it has the form of a result. */
function toResult(result: JsonObject): ToolCallResult {
  const { content, structuredContent, isError } = result;
  return {
    content: Array.isArray(content) ? content.filter(isJsonObject) : [],
    structuredContent: isJsonObject(structuredContent) ? structuredContent : undefined,
    isError: isError === true ? true : undefined,
  };
}

function toFailure(text: string): ToolCallResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** A model pays for each entry. */
const MOST_ENTRIES = 20;

/**
 * The trace of a run as an agent gets it. Totals have an entry for each tool, and one for each kind of failure of a tool, which come first;
 * beyond 20 entries the others are one entry, of the tool `*`.
 */
export function sumTrace(calls: readonly ToolTraceEntry[], mode: TraceMode): ToolTraceEntry[] {
  if (mode === "none") return [];
  if (mode === "calls" || (mode === "auto" && calls.length <= MOST_ENTRIES)) return [...calls];
  const totals = new Map<string, ToolTraceEntry>();
  for (const call of calls) {
    const key = JSON.stringify([call.serverId, call.toolName, call.ok, call.error ?? ""]);
    const known = totals.get(key);
    totals.set(key, known === undefined ? call : addUp(known, call));
  }
  const sorted = [...totals.values()].toSorted(
    (left, right) => Number(left.ok) - Number(right.ok) || countOf(right) - countOf(left),
  );
  if (sorted.length <= MOST_ENTRIES) return sorted;
  const others = sorted.slice(MOST_ENTRIES - 1);
  const failed = others.filter(({ ok }) => !ok).reduce((count, entry) => count + countOf(entry), 0);
  return [
    ...sorted.slice(0, MOST_ENTRIES - 1),
    {
      ...others.reduce(addUp),
      ...{ serverId: "*", toolName: "*", ok: failed === 0 },
      ...withoutUndefined({ error: failed > 0 ? `${failed} of them failed` : undefined }),
    },
  ];
}

function addUp(total: ToolTraceEntry, entry: ToolTraceEntry): ToolTraceEntry {
  const durationMs = total.durationMs + entry.durationMs;
  return { ...total, calls: countOf(total) + countOf(entry), durationMs };
}

function countOf({ calls = 1 }: ToolTraceEntry): number {
  return calls;
}
