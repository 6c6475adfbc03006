import { unwrapToolResult } from "@codemode/runtime/unwrap";
import { openHost } from "../../engine/open-host.ts";
import { lockfilePath, readLockfile } from "../../engine/project/lockfile-file.ts";
import { findSelection } from "../../engine/select-tools.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { readClaims } from "../../schemas/access/policy.ts";
import type { Config } from "../../schemas/config/config.ts";
import { lockfileMissing } from "../../schemas/errors.ts";
import { cleanInputSchema } from "../../schemas/json-schema/clean-schema.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { joinObservations, type Observations } from "../../schemas/observed/learn-into.ts";
import { shapeOfResult } from "../../schemas/observed/result-shape.ts";
import { acceptsNoArgument } from "../../templates/plan.ts";
import { addResult } from "./learn-from-recording.ts";
import { newSourceId } from "./observed-store.ts";

/** A call that is made for the shape of its result alone. */
export interface ProbeCall {
  serverId: string;
  toolName: string;
  input: JsonValue;
}

/** What calls came to. */
export interface ProbeOutcome {
  observations: Observations;
  /** Calls that gave no result, each with its reason. */
  failures: readonly { call: ProbeCall; reason: string }[];
}

/**
 * The calls that can be made for the results of tools: of tools that claim to be read-only and have no output schema, without arguments
 * unless `input` is given.
 * @param targets `SERVER` or `SERVER/TOOL`; all tools where empty
 * @throws CodemodeError as `learnResults`
 */
export async function planProbeCalls(
  config: Config,
  targets: readonly string[],
  input?: JsonValue,
): Promise<ProbeCall[]> {
  const lockfile = await readLockfile(config);
  if (lockfile === undefined) throw lockfileMissing(lockfilePath(config));
  const words = targets.length === 0 ? [undefined] : targets;
  return words
    .flatMap((target) => findSelection(lockfile, target))
    .flatMap(({ server, tools }) =>
      tools
        .filter((tool) => readClaims(tool).readOnly && tool.outputSchema === undefined)
        .filter((tool) => input !== undefined || acceptsNoArgument(cleanInputSchema(tool.inputSchema)))
        .map(({ name }) => ({ serverId: server.id, toolName: name, input: input ?? {} })),
    );
}

/** Makes the calls, each with every check of a script's call. The approval is had: it was given to these calls. */
export async function observeCalls(
  config: Config,
  calls: readonly ProbeCall[],
  { note, signal }: { note: (line: string) => void; signal: AbortSignal },
): Promise<ProbeOutcome> {
  const opened = await openHost({
    ...{ config, origin: "cli", purpose: { kind: "call" }, onUnstartable: "throw", audience: "person", note, signal },
  });
  try {
    const { host } = await opened.ready;
    const source = newSourceId();
    let observations: Observations = new Map();
    const failures: { call: ProbeCall; reason: string }[] = [];
    for (const call of calls) {
      const access = ownAccess(config.policy);
      const outcome = await host.callTool({
        ...call,
        access,
        approve: async () => "granted",
        approvalBy: "flag",
        signal,
      });
      for (const { code, message } of outcome.diagnostics) if (code === "NUMBER_CHANGED") note(`warning: ${message}`);
      const isResult = outcome.ok && outcome.result["isError"] !== true;
      const shape = isResult ? shapeOfResult(unwrapToolResult(outcome.result) as JsonValue, call.input) : undefined;
      if (shape === undefined) {
        failures.push({ call, reason: outcome.ok ? "the tool reports an error" : outcome.error.message });
        continue;
      }
      const seen = new Map([[call.toolName, addResult(undefined, source, shape)]]);
      observations = joinObservations(observations, new Map([[call.serverId, seen]]));
    }
    return { observations, failures };
  } finally {
    await opened.close();
  }
}
