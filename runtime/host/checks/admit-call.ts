import { describeUnknownServer, describeUnknownTool } from "@codemode/runtime/call-failure";
import { describeIssues } from "@codemode/runtime/validation";
import { type OperationName, parseOperationName } from "@codemode/runtime/connections/operations/operation-name";
import { uriOf } from "@codemode/runtime/connections/operations/uri-of";
import { accessVerdict, resourceVerdict } from "../../../schemas/access/access.ts";
import type { PolicyVerdict } from "../../../schemas/access/policy.ts";
import { readResourceUri } from "../../../schemas/access/resource-uri.ts";
import type { Integrity } from "../../../schemas/lock/integrity.ts";
import type { Manifest } from "../../../schemas/run/bundle.ts";
import { type JsonObject, asJson } from "../../../schemas/json/json.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { findOperation, moduleIdOf, operationsOf, RESOURCE_PREFIX } from "../../../schemas/lock/operations.ts";
import type { ToolCall, CallError } from "../../../schemas/lock/tools.ts";
import { shortenText } from "../../../schemas/text/short-text.ts";
import { toSourceLiteral } from "../../../schemas/text/visible-text.ts";
import type { CallHost, Run } from "../run.ts";
import { exampleOf } from "./example-of.ts";
import type { InputCheck } from "./input-check.ts";
import { toRefusal } from "./refuse.ts";

/** A call that nothing has refused. */
export interface Admitted {
  tool: LockedTool;
  input: JsonObject;
  /** As in `CallOptions`. */
  taken?: { readonly value: unknown };
  /** Of the definition that people decide about, where that is not the one of now (`ManifestTool`). */
  bundledIntegrity?: Integrity | undefined;
  /** Set where a person has to be asked about this call. */
  asks?: true;
}

/** A call that nothing has refused, or the error or the result of its refusal. */
export type CheckedCall = Admitted | { error: CallError } | { failed: JsonObject };

/** A tool that exists for the caller, and what the rules of its run say of it for any input. */
export interface RuledTool {
  server: LockedServer;
  tool: LockedTool;
  verdict: PolicyVerdict;
  operation: OperationName;
  /** Of the manifest; absent where that does not contain the tool. */
  listed: Manifest["tools"][number] | undefined;
}

export type FindRuledTool = (serverId: string, toolName: string) => RuledTool | undefined;

/** Makes the search for the tools of one run, which holds each against the rules once. */
export function makeToolSearch({
  lockfile,
  manifest,
  request: { access },
}: Pick<Run, "lockfile" | "manifest" | "request">): FindRuledTool {
  const found = new Map<string, Map<string, RuledTool>>();
  return (serverId, toolName) => {
    const known = found.get(serverId)?.get(toolName);
    if (known !== undefined) return known;
    const server = lockfile.servers.get(serverId);
    const tool = findOperation(server, toolName);
    if (server === undefined || tool === undefined) return undefined;
    const listed = manifest.tools.find((entry) => entry.serverId === serverId && entry.toolName === toolName);
    const operation = parseOperationName(toolName);
    const ruled = { server, tool, verdict: accessVerdict(access, serverId, tool), listed, operation };
    found.set(serverId, (found.get(serverId) ?? new Map<string, RuledTool>()).set(toolName, ruled));
    return ruled;
  };
}

/** Lockfile, manifest, integrity, policy and schema, in this order; the first that refuses decides. */
export function admitCall(
  call: ToolCall,
  { checkInput }: Pick<CallHost, "checkInput">,
  run: Run,
  find: FindRuledTool,
): Admitted | { error: CallError } {
  const { serverId, toolName } = call;
  const ruled = find(serverId, toolName);
  if (ruled === undefined) return { error: describeUnknown(call, run.lockfile) };
  const { tool, listed, verdict, operation } = ruled;
  if (listed === undefined) {
    return refuse(
      "ToolNotFoundError",
      `The script's manifest does not contain the tool "${toolName}" of "${serverId}".`,
      `Import it: import { ${tool.exportName} } from "@codemode/servers/${moduleIdOf(serverId, toolName)}";`,
    );
  }
  if (listed.integrity !== tool.integrity) {
    return refuse(
      "ToolCallError",
      `The tool "${toolName}" of "${serverId}" has changed since this script was bundled.`,
      "Generate the packages, and bundle the script again.",
    );
  }
  // The manifest has been reviewed before the run; a sandbox that is taken over must not get further than that.
  const refusal = verdict === "allow" ? undefined : holdAgainst(verdict, call, run, `${serverId}/${toolName}`, tool);
  if (refusal !== undefined) return refusal;
  const fitting = admitInput(call, tool, checkInput);
  if ("error" in fitting) return fitting;
  const { bundledIntegrity } = listed;
  const admitted = bundledIntegrity === undefined ? fitting : { ...fitting, bundledIntegrity };
  const ofResource = judgeResource(call, uriOf(operation, admitted.input), run);
  if (typeof ofResource === "object") return ofResource;
  return verdict === "askEach" || ofResource === "askEach" ? { ...admitted, asks: true } : admitted;
}

function describeUnknown(call: ToolCall, { servers }: Lockfile): CallError {
  const server = servers.get(call.serverId);
  if (server === undefined)
    return describeUnknownServer(call.serverId, servers.keys(), "`codemode.lock.json` lists the servers.");
  const known = operationsOf(server).map(({ name }) => name);
  return describeUnknownTool(call, known, "Import a tool that the server has.");
}

/** A function that reads many resources may be allowed, and one of them not. The URI is made here, of the input that goes out. */
function judgeResource(
  call: ToolCall,
  uri: string | undefined,
  run: Run,
): { error: CallError } | PolicyVerdict | undefined {
  if (uri === undefined) return undefined;
  const shown = shortenText(uri, LONGEST_URI);
  const read = readResourceUri(uri);
  if (!read.ok) {
    const hint =
      read.canonical === undefined
        ? PLAIN_URI
        : `Write it as ${toSourceLiteral(shortenText(read.canonical, LONGEST_URI))}.`;
    return refuse("ToolCallError", `The URI ${toSourceLiteral(shown)} is refused: ${read.problem}.`, hint);
  }
  const name = `${call.serverId}/${RESOURCE_PREFIX}${shown}`;
  const verdict = resourceVerdict(run.request.access, call.serverId, read.forms);
  return holdAgainst(verdict, call, run, name) ?? verdict;
}

const LONGEST_URI = 200;
const PLAIN_URI = "Give the URI in its plainest form, as `list` gives it.";

/**
 * @param name what the verdict is about
 * @param tool its definition, where the verdict is about the tool: one that waits for a person is approved before the run
 */
function holdAgainst(
  verdict: PolicyVerdict,
  { serverId, toolName }: ToolCall,
  { granted, report }: Run,
  name: string,
  tool?: LockedTool,
): { error: CallError } | undefined {
  if (verdict === "allow" || (verdict === "askEach" && tool?.pending === undefined)) return undefined;
  const isGranted = granted.some((entry) => entry.serverId === serverId && entry.toolName === toolName);
  if (verdict !== "deny" && isGranted) return undefined;
  const [code, message, hint] =
    verdict === "deny"
      ? ([
          "POLICY_DENIED",
          `The policy denies calls of ${name}.`,
          'Change "policy" in the configuration, or do without it.',
        ] as const)
      : ([
          "APPROVAL_REQUIRED",
          `Calls of ${name} need a person's approval.`,
          'Move it from "ask" to "allow" in the policy.',
        ] as const);
  report({ severity: "warning", code, message, hint, errorClass: "ToolCallError" });
  return refuse("ToolCallError", message, hint);
}

function admitInput(call: ToolCall, tool: LockedTool, checkInput: InputCheck): Admitted | { error: CallError } {
  const issues = checkInput(tool, call.input);
  if (issues.length > 0) {
    const described = { ...call, exportName: tool.exportName, example: exampleOf(tool, checkInput) };
    const { message, hint, ...details } = describeIssues(described, call.input, issues);
    return refuse("SchemaValidationError", message, hint, asJson(details));
  }
  // MCP has objects in mind here; a schema of another root is the server's own word that it takes more (specification 5.3.1).
  return { tool, input: call.input as JsonObject };
}

function refuse(...refusal: Parameters<typeof toRefusal>): { error: CallError } {
  return { error: toRefusal(...refusal) };
}
