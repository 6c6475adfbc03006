import { isReadOnly } from "../../../schemas/access/policy.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";
import type { ToolCall } from "../../../schemas/lock/tools.ts";
import type { Emit, RunEvent } from "../../../schemas/run/events.ts";
import type { ApprovalRequest } from "../../../schemas/run/approval.ts";
import { outputExampleOf } from "./example-of.ts";
import type { OutputCheck } from "./output-check.ts";

/**
 * A run in which only those tools are called whose servers claim, in the lockfile, that they only read. All others get every check of a
 * call, and then answer a placeholder.
 */
export interface DryRun {
  /** The placeholder as an MCP result, for a call that is not to be made; undefined for one that is. `asks`: a person would be asked about it. */
  answer(tool: LockedTool, call: ToolCall, asks?: true): JsonObject | undefined;
  /** One finding for each tool that was not called, in the order of their first calls. */
  findings(): Diagnostic[];
}

export function makeDryRun(checkOutput: OutputCheck, emit?: Emit<RunEvent>): DryRun {
  const counts = new Map<string, number>();
  let number = 0;
  return {
    answer(tool, call, asks) {
      if (isReadOnly(tool) && asks !== true) return undefined;
      const name = `${call.serverId}/${tool.name}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      number += 1;
      emit?.({ type: "call-skipped", call: { ...call, number, ...withoutUndefined({ asks }) } });
      return placeholderOf(tool, name, checkOutput);
    },
    findings: () => [...counts].map(describeSkipped),
  };
}

/** A dry run asks only about tools that it calls. */
export function withoutSkipped(request: ApprovalRequest): ApprovalRequest {
  return { ...request, tools: request.tools.filter(isReadOnly) };
}

/** What the schema promises, where it promises anything: the script goes on as it would after the call. */
function placeholderOf(tool: LockedTool, name: string, checkOutput: OutputCheck): JsonObject {
  const text = `[dry run: ${name} was not called]`;
  const content = [{ type: "text", text }];
  const example = outputExampleOf(tool, checkOutput);
  return example === undefined ? { content } : { content, structuredContent: example };
}

function describeSkipped([name, count]: [string, number]): Diagnostic {
  const calls = count === 1 ? "1 call" : `${count} calls`;
  return {
    severity: "info",
    code: "DRY_RUN",
    message: `${name} was not called: ${calls} returned a placeholder.`,
    hint: "A dry run calls only tools that their servers mark as read-only. Run it without --dry-run to call all tools.",
  };
}
