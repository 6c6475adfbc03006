import { unwrapToolResult } from "@codemode/runtime/unwrap";
import { printedContent } from "@codemode/runtime/connections/printed-content";
import { OBJECT_PARSED } from "../../runtime/sandbox/pool/error-hints.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import { observedOf } from "../../schemas/observed/observed-results.ts";
import {
  includesResultShape,
  joinResultShapes,
  type ResultShape,
  shapeOfResult,
} from "../../schemas/observed/result-shape.ts";
import type { Diagnostic, RunAnswer } from "../../schemas/run/answer.ts";
import { makeEmit } from "../../schemas/run/call-back.ts";
import type { RunEvent } from "../../schemas/run/events.ts";
import type { ToolCall } from "../../schemas/lock/tools.ts";
import type { AroundScript } from "./host.ts";

/** Receives the shape of each result that was looked at. */
export type OnShape = (of: Pick<ToolCall, "serverId" | "toolName">, shape: ResultShape) => void;

/** Of the calls of one tool in one run, the first ones are looked at, and then the 16th, 32nd, 64th and so on. */
const LOOKED_AT_FIRST = 8;

/** The tools of one run whose results have no declared type. */
interface SeenTool {
  tool: LockedTool;
  serverId: string;
  calls: number;
  shape: ResultShape;
}

/**
 * Compares results with what was observed of them before. A new shape fails no call: it is an info in the answer. After a failure the answer says
 * what arrived.
 */
export function lookAtResults(onShape?: OnShape): AroundScript {
  return async (request, run) => {
    // A pinned bundle runs as it was made.
    if (request.bundler !== undefined) return run(request);
    const seen = new Map<string, SeenTool>();
    const emit = makeEmit<RunEvent>([
      ["emit", request.emit],
      ["learn", lookAtCalls(seen, onShape)],
    ]);
    return explain(await run({ ...request, emit }), [...seen.values()]);
  };
}

function lookAtCalls(seen: Map<string, SeenTool>, onShape: OnShape | undefined): (event: RunEvent) => void {
  return (event) => {
    if (event.type !== "call-settled") return;
    const { serverId, toolName, tool, outcome, result, input } = event;
    if (tool === undefined || tool.outputSchema !== undefined) return;
    const key = `${serverId}/${toolName}`;
    const entry = seen.get(key) ?? { serverId, tool, calls: 0, shape: {} };
    seen.set(key, entry);
    entry.calls += 1;
    const value = outcome === "ok" && isLookedAt(entry.calls) ? result() : undefined;
    const shape = value === undefined ? undefined : shapeOf(value, input());
    if (shape === undefined) return;
    entry.shape = joinResultShapes(entry.shape, shape);
    onShape?.({ serverId, toolName }, shape);
  };
}

function isLookedAt(call: number): boolean {
  return call <= LOOKED_AT_FIRST || (call & (call - 1)) === 0;
}

/** Undefined where a result is long enough to stay text: to parse it would cost more than the call. */
function shapeOf(result: JsonObject, input: JsonValue): ResultShape | undefined {
  if (printedContent(result) !== undefined) return undefined;
  return shapeOfResult(unwrapToolResult(result) as JsonValue, input);
}

/** What is printed is loaded only when there is something to print. */
async function explain(answer: RunAnswer, tools: readonly SeenTool[]): Promise<RunAnswer> {
  const arrived = tools.filter(({ shape }) => Object.keys(shape).length > 0);
  const fresh = arrived.filter(({ tool, shape }) => {
    const known = observedOf(tool);
    return known !== undefined && !includesResultShape(known.shape, shape);
  });
  const hasFailed = arrived.length > 0 && answer.diagnostics.some(isOfResults);
  if (fresh.length === 0 && !hasFailed) return answer;
  const { printResultType } = await import("../../templates/signature/print-shortly.ts");
  const print = (shape: ResultShape): string => `\`${printResultType(shape, LONGEST_QUOTE).text}\``;
  const quoted = arrived.slice(0, MOST_QUOTED).map(({ tool, shape }) => `${tool.exportName} ${print(shape)}`);
  const ofBlocks = arrived.find(({ shape }) => shape.blocks?.has("text") === true)?.tool.exportName;
  const hintOf = ({ message, hint }: Diagnostic): string | undefined =>
    ofBlocks !== undefined && OBJECT_PARSED.test(message)
      ? `\`${ofBlocks}\` returned a whole MCP result: parse the text of one block, \`JSON.parse(value.content[0].text)\`.`
      : hint;
  const quote = (finding: Diagnostic): Diagnostic =>
    isOfResults(finding)
      ? { ...finding, hint: [hintOf(finding), `Tools returned: ${quoted.join(", ")}.`].filter(Boolean).join(" ") }
      : finding;
  const news = fresh.map(({ serverId, tool, shape }): Diagnostic => {
    const message = `A result of ${serverId}/${tool.name} has a shape that was not observed before.`;
    return { severity: "info", code: "RESULT_SHAPE_NEW", message, hint: `It is ${print(shape)}.` };
  });
  return { ...answer, diagnostics: [...answer.diagnostics.map(quote), ...news] };
}

/** What a script did with results is the likeliest reason why it threw; an error of codemode's own says its reason itself. */
function isOfResults({ code, errorClass }: Diagnostic): boolean {
  return code === "UNCAUGHT_EXCEPTION" && errorClass === undefined;
}

/** More would not be read. */
const MOST_QUOTED = 3;
/** For each form of the results, in characters. */
const LONGEST_QUOTE = 300;
