import { exitCodeOf, failedAnswer } from "../../schemas/run/answer.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { Command } from "../command.ts";
import { bundlePlaces } from "../../engine/project/bundle-places.ts";
import { startChecker } from "../../engine/check/process/start-checker.ts";
import { findScript } from "../../engine/project/find-script.ts";
import { inspectScript } from "../../engine/host/inspect-script.ts";
import { readPair } from "../../engine/host/pinned/configured-pairs.ts";
import { checkFollows } from "../../engine/host/pinned/follows-script.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { prepareProject } from "../../engine/project/prepare-project.ts";
import { printDiagnostic } from "../../schemas/run/print-diagnostic.ts";
import { reportError } from "../print/report.ts";
import { printManifest } from "../print/print-manifest.ts";

/** `codemode check`: type errors, manifest and what the policy says of it; writes nothing, runs nothing. */
export const check: Command = async ({ args, options, context }) => {
  const { output, cwd } = context;
  const config = await loadConfig(context);
  const script = await findScript({ file: args[0], code: options.text("eval"), cwd }, config);
  if (script === undefined) throw optionInvalid("check", "name a script or its file, - for standard input, or --eval");
  const checker = startChecker(bundlePlaces(config).packages);
  try {
    // It starts while the project is read.
    if (script.kind === "source") checker.warm();
    const { lockfile } = await prepareProject(config, { frozen: true, note: output.note });
    const { diagnostics, tools } = await inspectScript(script, { config, lockfile, checker });
    const pair = await readPair(config.scripts.get(args[0] ?? ""), config.folder);
    const outdated = pair === undefined ? undefined : (await checkFollows(pair, config, lockfile)).outdated;
    const exitCode = exitCodeOf(failedAnswer(diagnostics)) || (outdated?.exitCode ?? 0);
    if (options.has("json")) {
      const manifest = tools === undefined ? null : { tools };
      output.result(JSON.stringify({ ok: exitCode === 0, diagnostics, manifest }, null, 2));
    } else {
      for (const line of diagnostics.flatMap(printDiagnostic)) output.result(line);
      for (const line of tools === undefined ? [] : printManifest(tools)) output.result(line);
    }
    if (outdated !== undefined) reportError(outdated, output, context.verbose);
    return exitCode;
  } finally {
    await checker.close();
  }
};
