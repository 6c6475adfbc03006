import type { JsonObject } from "../../../schemas/json/json.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";
import { oneLine } from "../../../schemas/json/escape-invisible.ts";
import { changedNumberOf } from "@codemode/runtime/connections/changed-numbers";
import type { CallHost, Run } from "../run.ts";

/** A result as the script gets it, and as its server has sent it. */
interface SentResult {
  result: JsonObject;
  sent: JsonObject;
}

/** Makes what reports how the results of a run differ from what they should be. Each is passed on all the same. */
export function makeResultCheck({ checkOutput }: Pick<CallHost, "checkOutput">, { report }: Pick<Run, "report">) {
  const mismatched = new Set<LockedTool>();
  const changed = new Set<LockedTool>();
  return (tool: LockedTool, { result, sent }: SentResult, serverId: string): void => {
    const name = `${serverId}/${tool.name}`;
    const mismatch = mismatched.has(tool) ? undefined : checkOutput(tool, result);
    if (mismatch !== undefined) {
      mismatched.add(tool);
      report({
        severity: "warning",
        code: "OUTPUT_MISMATCH",
        message: `The result of ${name} does not match its output schema: ${mismatch}.`,
        hint: `Do not rely on its output type; "outputs" in the configuration can replace the schema.`,
      });
    }
    // JavaScript has no integers beyond 2^53: what a server wrote is another number in the script.
    const number = changed.has(tool) ? undefined : changedNumberOf(sent);
    if (number === undefined) return;
    changed.add(tool);
    const { pointer, written, read } = number;
    report({
      severity: "warning",
      code: "NUMBER_CHANGED",
      message: `The result of ${name} has the number ${shorten(written)} at "${shorten(pointer)}", which JavaScript reads as ${read}.`,
      hint: "Do not use it as an id: let the server give it as text. @codemode/openapi does so with --int64 string.",
    });
  };
}

function shorten(text: string): string {
  return oneLine(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
