import { resolve } from "node:path";
import { learnResults, type LearnOptions } from "./learn-results.ts";
import { loadConfig } from "../../engine/load-config.ts";
import type { Config } from "../../schemas/config/config.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { approvalMissing, observedOutdated } from "./learn-errors.ts";
import type { Command, Invocation } from "../../cli/command.ts";
import { askYesOrNo, terminalOf } from "../../cli/print/ask-on-terminal.ts";
import { printChanges } from "../../cli/print/print-changes.ts";
import { reportError } from "../../cli/print/report.ts";
import { parseInput } from "../../cli/read-run-options.ts";
import { observeCalls, planProbeCalls, type ProbeCall } from "./probe-calls.ts";

/** `codemode learn`: writes what results looked like into the lockfile, or with `--check` says what is new. */
export const learn: Command = async (invocation) => {
  const { args, options, context } = invocation;
  const { output, verbose } = context;
  const [check, dryRun] = [options.has("check"), options.has("dryRun")];
  const sources = ["forget", "call", "from"].filter((name) => options.has(name));
  if (sources.length > 1 || (check && options.has("forget"))) {
    throw optionInvalid(`--${sources[0]}`, "choose one of --from, --call and --forget; --forget needs no --check");
  }
  const config = await loadConfig(context);
  const source = options.has("call") ? await call(config, invocation) : readFrom(invocation);
  if (source === undefined) return 0;
  const forget = options.has("forget");
  const { changes, pending } = await learnResults(config, { targets: args, check: check || dryRun, forget, ...source });
  if (options.has("json")) output.result(JSON.stringify({ changes, pending: forget ? pending : undefined }, null, 2));
  else if (changes.length === 0 && pending.length === 0) output.note(forget ? NONE_KNOWN : "No new shapes of results.");
  for (const tool of options.has("json") ? [] : pending)
    output.note(oneLine(`${tool}: what runs left behind, forgotten`));
  if (!options.has("json")) for (const line of printChanges(changes)) output.note(line);
  if (!check || changes.length === 0) return 0;
  return reportError(observedOutdated(changes.map(({ serverId }) => serverId)), output, verbose);
};

const NONE_KNOWN = "Nothing was learned of the results of these tools.";

function readFrom({ options, context }: Invocation): Pick<LearnOptions, "from"> {
  const from = options.texts("from").map((file) => resolve(context.cwd, file));
  return from.length === 0 ? {} : { from };
}

/** Undefined where nothing is called: with `--dry-run`, or without a tool that can be. */
async function call(config: Config, invocation: Invocation): Promise<Pick<LearnOptions, "observed"> | undefined> {
  const { args, options, context } = invocation;
  const { output, signal } = context;
  const calls = await planProbeCalls(config, args, readInput(invocation));
  if (calls.length === 0) output.note("No tool to call: none of them claims to be read-only and needs no argument.");
  else output.note(`${options.has("dryRun") ? "Would call" : "Calls"}:`);
  for (const one of calls) output.note(`  ${print(one)}`);
  if (calls.length === 0 || options.has("dryRun")) return undefined;
  if (!options.has("approve") && !(await ask(context.signal))) throw approvalMissing();
  const { observations, failures } = await observeCalls(config, calls, { note: output.note, signal });
  for (const { call: failed, reason } of failures) output.note(oneLine(`${print(failed)}: no result: ${reason}`));
  return { observed: observations };
}

function readInput({ args, options }: Invocation): JsonValue | undefined {
  const json = options.text("input");
  if (json === undefined) return undefined;
  if (args.length !== 1 || !args[0]?.includes("/")) throw optionInvalid("--input", "name one tool, SERVER/TOOL");
  return parseInput(json, "--input");
}

async function ask(signal: AbortSignal): Promise<boolean> {
  const terminal = terminalOf(signal);
  return terminal !== undefined && askYesOrNo("Make these calls? [y/N] ", terminal);
}

function print({ serverId, toolName, input }: ProbeCall): string {
  return oneLine(`${serverId}/${toolName} ${JSON.stringify(input)}`);
}
