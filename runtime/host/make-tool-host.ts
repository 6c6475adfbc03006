import { unwrapToolResult } from "@codemode/runtime/unwrap";
import { describeIssues } from "@codemode/runtime/validation";
import type { Diagnostic } from "../../schemas/answer.ts";
import type { Manifest } from "../../schemas/bundle.ts";
import type { Policy } from "../../schemas/config.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../schemas/json.ts";
import type { LockedTool, Lockfile } from "../../schemas/lockfile.ts";
import { policyVerdict } from "../../schemas/policy.ts";
import type { ToolCall, ToolError, ToolReply } from "../../schemas/tools.ts";
import type { ServerConnection } from "./connections/connect-server.ts";
import { toToolError } from "./connection-tool-error.ts";
import { DISCOVERY, type Discovery } from "./discovery/make-discovery.ts";
import type { InputCheck } from "./input-check.ts";
import { exampleOf } from "./example-of.ts";
import type { OutputCheck } from "./output-check.ts";
import { didYouMean, refused, toRefusal } from "./refuse.ts";
import type { ToolHost } from "./tool-host.ts";

/** What one run may call, and by what it is called. */
export interface ToolHostOptions {
  lockfile: Lockfile;
  manifest: Manifest;
  policy: Policy;
  /** Connects on first use; rejects with a `ConnectionError`. */
  connectionOf: (serverId: string) => Promise<ServerConnection>;
  checkInput: InputCheck;
  checkOutput: OutputCheck;
  /** Answers what scripts ask about the tools that there are. */
  discover: Discovery;
  /** Told of what the answer should name beside the error that the script gets. */
  report: (diagnostic: Diagnostic) => void;
}

/** The host side of every call: what the sandbox says of itself is worth nothing, so all is checked here again. */
export function makeToolHost(options: ToolHostOptions): ToolHost {
  const reportMismatch = makeMismatchReport(options);
  return {
    async call(call, signal) {
      if (call.serverId === DISCOVERY) return options.discover(call.toolName, call.input);
      const admitted = admit(call, options);
      if ("error" in admitted) return { ok: false, error: admitted.error };
      try {
        const connection = await options.connectionOf(call.serverId);
        const result = await connection.callTool(call.toolName, admitted.input, { signal });
        if (result["isError"] !== true) reportMismatch(admitted.tool, result, call);
        return toReply(result, call);
      } catch (error) {
        return { ok: false, error: toToolError(error, call) };
      }
    },
  };
}

/** A result that is not what its schema says is passed on all the same: the answer names it, once for each tool. */
function makeMismatchReport({ checkOutput, report }: ToolHostOptions) {
  const reported = new Set<LockedTool>();
  return (tool: LockedTool, result: JsonObject, { serverId }: ToolCall): void => {
    if (reported.has(tool)) return;
    const mismatch = checkOutput(tool, result);
    if (mismatch === undefined) return;
    reported.add(tool);
    report({
      severity: "warning",
      code: "OUTPUT_MISMATCH",
      message: `The result of ${serverId}/${tool.name} is not what its output schema says: ${mismatch}.`,
      hint: `Do not rely on its output type; "outputs" in the configuration can replace the schema.`,
    });
  };
}

/** A call that nothing has refused. */
interface Admitted {
  tool: LockedTool;
  input: JsonObject;
}

/** Manifest, lockfile, policy and schema, in this order; the first that refuses decides. */
function admit(call: ToolCall, options: ToolHostOptions): Admitted | { error: ToolError } {
  const { serverId, toolName } = call;
  const server = options.lockfile.servers.get(serverId);
  if (server === undefined) {
    return refuse(
      "ServerNotFoundError",
      `There is no server "${serverId}".`,
      didYouMean(serverId, options.lockfile.servers.keys(), "`codemode.lock.json` lists the servers."),
    );
  }
  const tool = server.tools.find(({ name }) => name === toolName);
  if (tool === undefined) {
    const known = server.tools.map(({ name }) => name);
    return refuse(
      "ToolNotFoundError",
      `The server "${serverId}" has no tool "${toolName}".`,
      didYouMean(toolName, known, "Import a tool that the server has."),
    );
  }
  const granted = options.manifest.tools.find((entry) => entry.serverId === serverId && entry.toolName === toolName);
  if (granted === undefined) {
    return refuse(
      "ToolNotFoundError",
      `The script's manifest does not hold the tool "${toolName}" of "${serverId}".`,
      `Import it: import { ${tool.exportName} } from "@codemode/servers/${serverId}";`,
    );
  }
  if (granted.integrity !== tool.integrity) {
    return refuse(
      "ToolCallError",
      `The tool "${toolName}" of "${serverId}" is not the one that this script was bundled with.`,
      "Run `codemode generate` and bundle the script again.",
    );
  }
  return admitByPolicy(call, options) ?? admitInput(call, tool, options.checkInput);
}

function admitByPolicy({ serverId, toolName }: ToolCall, options: ToolHostOptions): { error: ToolError } | undefined {
  const verdict = policyVerdict(options.policy, serverId, toolName);
  if (verdict === "allow") return undefined;
  const name = `${serverId}/${toolName}`;
  const [code, message, hint] =
    verdict === "deny"
      ? ([
          "POLICY_DENIED",
          `The policy denies calls of ${name}.`,
          'Change "policy" in the configuration, or do without it.',
        ] as const)
      : ([
          "APPROVAL_REQUIRED",
          `Calls of ${name} need a person's consent.`,
          'Move it from "ask" to "allow" in the policy.',
        ] as const);
  options.report({ severity: "warning", code, message, hint, errorClass: "ToolCallError" });
  return refuse("ToolCallError", message, hint);
}

function admitInput(call: ToolCall, tool: LockedTool, checkInput: InputCheck): Admitted | { error: ToolError } {
  const issues = checkInput(tool, call.input);
  if (issues.length > 0) {
    const described = { ...call, exportName: tool.exportName, example: exampleOf(tool, checkInput) };
    const { message, hint, ...details } = describeIssues(described, call.input, issues);
    return refuse("SchemaValidationError", message, hint, details as unknown as JsonObject);
  }
  // MCP carries arguments as an object only (tools/call); a schema of another root type cannot be met.
  if (isJsonObject(call.input)) return { tool, input: call.input };
  return refuse(
    "ToolCallError",
    `The input of "${tool.name}" must be an object: MCP sends no other.`,
    "Pass an object.",
  );
}

function toReply(result: JsonObject, { serverId, toolName }: ToolCall): ToolReply {
  if (result["isError"] !== true) return { ok: true, value: unwrapToolResult(result) as JsonValue };
  const text = textOf(result);
  const message = text === "" ? `The tool "${toolName}" of "${serverId}" failed without a message.` : text;
  return refused("ToolCallError", message, "Read the message, change the input, and call again.");
}

/** The text blocks of a result, which is where a failed tool says why. */
function textOf(result: JsonObject): string {
  const content = Array.isArray(result["content"]) ? result["content"] : [];
  return content
    .map((block) => (isJsonObject(block) && typeof block["text"] === "string" ? block["text"] : ""))
    .filter((text) => text !== "")
    .join("\n");
}

function refuse(...refusal: Parameters<typeof toRefusal>): { error: ToolError } {
  return { error: toRefusal(...refusal) };
}
