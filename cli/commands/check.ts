import { countOf } from "../../schemas/text/count-of.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { type CheckResult, CodemodeError, type Script } from "../../library/index.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { type Diagnostic, exitCodeOf, failedAnswer, printDiagnostic } from "../../schemas/run/answer.ts";
import type { Command, CommandContext, Invocation } from "../command.ts";
import { openProjectHere, readScriptArgument } from "../open-project.ts";
import { reportError } from "../print/report.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { ownValue } from "../../schemas/json/json.ts";
import type { InspectedTool } from "../../engine/inspect-script.ts";

/** `codemode check`: type errors, manifest and what the policy says of it; writes nothing, runs nothing. */
export const check: Command = async (invocation) => {
  const { options } = invocation;
  return options.has("all")
    ? checkAll(invocation)
    : checkOne(await readScriptArgument(invocation, "check"), invocation);
};

/** A result, or for a script that cannot be read why, which is `outdated` too. */
type Checked = CheckResult & { error?: CodemodeError };

async function checkOne(script: Script, { options, context }: Invocation): Promise<number> {
  const { output } = context;
  const project = await openProjectHere(context);
  const result = judge(await project.check(script, { onNote: (line) => output.note(oneLine(line)) }), options);
  if (options.has("json")) output.result(JSON.stringify(toJson(result), null, 2));
  else printResult(result, context);
  if (result.outdated !== undefined) reportError(result.outdated, output, context.verbose);
  return codeOf(result);
}

/** Every script of the configuration, also after one that fails; the first failure sets the exit code. */
async function checkAll({ args, options, context }: Invocation): Promise<number> {
  if (args.length > 0 || options.has("eval")) throw optionInvalid("--all", "it takes no script");
  const { output, verbose } = context;
  const project = await openProjectHere(context);
  const { scripts } = await loadConfig(context);
  if (scripts.size === 0) output.note('No scripts to check: "scripts" in the configuration names none.');
  const printed: object[] = [];
  const noted = new Set<string>();
  const onNote = (line: string): void => {
    if (!noted.has(line)) output.note(oneLine(line));
    noted.add(line);
  };
  let exitCode = 0;
  for (const name of scripts.keys()) {
    const result = judge(await project.check({ file: name }, { onNote }).catch(toFailure), options);
    if (options.has("json")) printed.push({ name, ...toJson(result) });
    else {
      output.result(`${name}: ${codeOf(result) === 0 ? "ok" : "failed"}`);
      printResult(result, context);
    }
    if (result.outdated !== undefined) reportError(result.outdated, output, verbose);
    exitCode ||= codeOf(result);
  }
  if (options.has("json")) output.result(JSON.stringify({ ok: exitCode === 0, scripts: printed }, null, 2));
  return exitCode;
}

/** With --strict, a check that did not come to its end is an error. */
function judge(result: Checked, options: Invocation["options"]): Checked {
  if (!options.has("strict")) return result;
  const diagnostics = result.diagnostics.map((finding): Diagnostic =>
    finding.code === "CHECK_INCOMPLETE" ? { ...finding, severity: "error" } : finding,
  );
  return { ...result, diagnostics };
}

/** A script whose file cannot be read is one result of many. */
function toFailure(error: unknown): Checked {
  if (!(error instanceof CodemodeError)) throw error;
  return { ok: false, diagnostics: [], outdated: error, error };
}

function codeOf({ diagnostics, outdated }: Checked): number {
  return exitCodeOf(failedAnswer([...diagnostics])) || (outdated?.exitCode ?? 0);
}

function toJson(result: Checked): object {
  const { diagnostics, tools, error } = result;
  const failure = error && { code: error.code, message: error.message, hint: error.hint };
  const manifest = tools === undefined ? null : { tools };
  return { ok: codeOf(result) === 0, diagnostics, manifest, error: failure };
}

function printResult({ diagnostics, tools }: CheckResult, { output }: CommandContext): void {
  for (const line of diagnostics.flatMap(printDiagnostic)) output.result(line);
  for (const line of tools === undefined ? [] : printManifest(tools)) output.result(line);
}

/** What a script may call, as lines for the terminal: one tool on each, with what the policy says of it. */
function printManifest(tools: readonly InspectedTool[]): string[] {
  if (tools.length === 0) return ["Calls no tool."];
  const names = tools.map(({ serverId, toolName }) => oneLine(`${serverId}/${toolName}`));
  const width = Math.max(...names.map((name) => name.length));
  const rows = tools.map((tool, index) =>
    [`  ${tool.policy.padEnd(5)}`, names[index]?.padEnd(width), tool.integrity, ...claimsOf(tool)].join("  "),
  );
  return [`May call ${countOf(tools.length, "tool")}:`, ...rows];
}

/** Only what makes a call harmless or dangerous is worth its room. */
function claimsOf({ annotations = {} }: InspectedTool): string[] {
  if (ownValue(annotations, "readOnlyHint") === true) return ["read-only"];
  return ownValue(annotations, "destructiveHint") === true ? ["destructive"] : [];
}
