import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { text as readStream } from "node:stream/consumers";
import { toReply } from "../../runtime/host/make-tool-host.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { exitCodeOf, failedAnswer } from "../../schemas/run/answer.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { approverOf } from "../print/ask-consent.ts";
import type { Command } from "../command.ts";
import type { CallOutcome } from "../../engine/host/call-one-tool.ts";
import { withHost } from "../../engine/open-host.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { prepareLockfile } from "../../engine/project/prepare-project.ts";
import { findSelection } from "../../engine/project/select-tools.ts";
import { printDiagnostic } from "../../schemas/run/print-diagnostic.ts";
import type { Output } from "../print/report.ts";

/** `codemode call`: one call with every check that a script's call gets; the result as `codemode run` prints it. */
export const call: Command = async ({ args, options, context }) => {
  const [target = "", json] = args;
  const input = parseInput(json === "-" ? await readStream(process.stdin) : json);
  const config = await loadConfig(context);
  const isFrozen = options.has("frozen");
  const { output, showProgress, signal } = context;
  const tell = { note: output.note, showProgress, signal };
  const lockfile = await prepareLockfile(config, { frozen: isFrozen, ...tell });
  const [selection] = findSelection(lockfile, target);
  const [tool] = selection?.tools ?? [];
  const isServer = selection !== undefined && [selection.server.id, selection.server.name].includes(target);
  if (selection === undefined || tool === undefined || isServer) {
    throw optionInvalid("call", "name one tool, as SERVER/TOOL");
  }
  const place = { serverId: selection.server.id, toolName: tool.name };
  const access = ownAccess(config.policy);
  const approver = approverOf(options.has("approve"), context);
  const purpose = { kind: "call" } as const;
  const outcome = await withHost(
    { config, origin: "cli", purpose, isFrozen, refuseBy: "server", onUnstartable: "throw", ...tell },
    (host) => host.callTool({ ...place, input, access, ...approver, signal }),
  );
  return printOutcome(outcome, place, options.has("json"), output);
};

function parseInput(json: string | undefined): JsonValue {
  if (json === undefined) return {};
  try {
    return JSON.parse(json) as JsonValue;
  } catch (error) {
    throw optionInvalid("call", `the input is not JSON: ${(error as Error).message}`);
  }
}

/** Prints the result to stdout and everything else to stderr; returns the exit code. */
function printOutcome(
  outcome: CallOutcome,
  place: { serverId: string; toolName: string },
  asJson: boolean,
  output: Output,
): number {
  const { diagnostics } = outcome;
  // The refusal itself says what the errors say.
  const warnings = outcome.ok ? diagnostics : diagnostics.filter(({ code }) => code === "SERVER_UNAVAILABLE");
  for (const diagnostic of warnings) for (const line of printDiagnostic(diagnostic)) output.note(line);
  const reply = outcome.ok ? toReply(outcome.result, place) : outcome;
  if (asJson) output.result(JSON.stringify(outcome.ok ? outcome.result : { error: outcome.error }, null, 2));
  else if (reply.ok) output.result(JSON.stringify(reply.value, null, 2));
  if (reply.ok) return 0;
  output.note(`error: ${oneLine(reply.error.message)}`);
  output.note(`hint: ${oneLine(reply.error.hint)}`);
  return exitCodeOf(failedAnswer(diagnostics)) || 1;
}
