import { exitCodeOf, failedAnswer } from "../../schemas/run/answer.ts";
import { printDiagnostic } from "../../schemas/run/print-diagnostic.ts";
import type { Command } from "../command.ts";
import { openProject, readScriptArgument } from "../open-project.ts";
import { printManifest } from "../print/print-manifest.ts";
import { reportError } from "../print/report.ts";

/** `codemode check`: type errors, manifest and what the policy says of it; writes nothing, runs nothing. */
export const check: Command = async (invocation) => {
  const { options, context } = invocation;
  const { output } = context;
  const project = await openProject(context);
  const { diagnostics, tools, outdated } = await project.check(await readScriptArgument(invocation, "check"), {
    onNote: output.note,
  });
  const exitCode = exitCodeOf(failedAnswer([...diagnostics])) || (outdated?.exitCode ?? 0);
  if (options.has("json")) {
    const manifest = tools === undefined ? null : { tools };
    output.result(JSON.stringify({ ok: exitCode === 0, diagnostics, manifest }, null, 2));
  } else {
    for (const line of diagnostics.flatMap(printDiagnostic)) output.result(line);
    for (const line of tools === undefined ? [] : printManifest(tools)) output.result(line);
  }
  if (outdated !== undefined) reportError(outdated, output, context.verbose);
  return exitCode;
};
