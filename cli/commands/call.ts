import { readStreamText } from "../../engine/files.ts";
import type { CallResult } from "../../library/index.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { exitCodeOf, failedAnswer, printDiagnostic } from "../../schemas/run/answer.ts";
import type { Command } from "../command.ts";
import { openProjectHere } from "../open-project.ts";
import { approverOf, askerOf } from "../print/ask-on-terminal.ts";
import type { Output } from "../print/report.ts";

/** `codemode call`: one call with every check that a script's call gets; the result as `codemode run` prints it. */
export const call: Command = async ({ args, options, context }) => {
  const [tool = "", json] = args;
  const input = parseInput(json === "-" ? await readStreamText(process.stdin, "standard input") : json);
  const { output, showProgress, signal } = context;
  const project = await openProjectHere(context);
  const engine = await project.openEngine({
    ...{ callsOnly: true, frozen: options.has("frozen"), showProgress, signal, onNote: output.note },
    ...{ origin: "cli", refuseBy: "server", onUnstartable: "throw" },
    ...approverOf(options.has("approve"), context),
    ask: askerOf(signal),
  });
  try {
    return printOutcome(await engine.tryTool(tool, input, { signal }), options.has("json"), output);
  } finally {
    await engine.close();
  }
};

function parseInput(json: string | undefined): JsonValue {
  if (json === undefined) return {};
  try {
    return JSON.parse(json) as JsonValue;
  } catch (error) {
    throw optionInvalid(
      "call",
      `the input is not JSON: ${(error as Error).message}`,
      `Write it as in \`codemode call SERVER/TOOL '{"path": "notes"}'\`.`,
    );
  }
}

/** Prints the result to stdout and everything else to stderr; returns the exit code. */
function printOutcome({ result, reply, diagnostics }: CallResult, asJson: boolean, output: Output): number {
  // The refusal itself says what the errors say.
  const shown = result === undefined ? diagnostics.filter(({ code }) => code === "SERVER_UNAVAILABLE") : diagnostics;
  for (const diagnostic of shown) for (const line of printDiagnostic(diagnostic)) output.note(line);
  if (asJson) output.result(JSON.stringify(result ?? (reply.ok ? null : { error: reply.error }), null, 2));
  else if (reply.ok) output.result(JSON.stringify(reply.value, null, 2));
  if (reply.ok) return 0;
  output.note(`error: ${oneLine(reply.error.message)}`);
  output.note(`hint: ${oneLine(reply.error.hint)}`);
  return exitCodeOf(failedAnswer([...diagnostics])) || 1;
}
