import { resolve } from "node:path";
import { writeOutputFile } from "../../engine/files.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { findOutdated, type PinnedPair, readConfiguredPairs, readPair } from "../../engine/pinned-pairs.ts";
import type { Project } from "../../library/index.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { formatPinnedBundle, type PinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { printDiagnostic } from "../../schemas/run/answer.ts";
import type { Command, CommandContext, Invocation } from "../command.ts";
import { openProjectHere, readScriptArgument } from "../open-project.ts";
import { type Output, reportError } from "../print/report.ts";

/** `codemode bundle`: writes pinned bundles, which `codemode run` runs as they are, or with `--check` says which are outdated. */
export const bundle: Command = async (invocation) => {
  const { options, context } = invocation;
  const { output, showProgress, signal } = context;
  const project = await openProjectHere(context);
  const isCheck = options.has("check");
  const frozen = options.has("frozen") || isCheck;
  let exitCode = 0;
  for (const pair of await choosePairs(invocation, project)) {
    const outcome = await project.bundle(pair.source, { frozen, signal, showProgress, onNote: output.note });
    const diagnostics = outcome.ok ? (isCheck ? [] : outcome.warnings) : outcome.diagnostics;
    for (const line of diagnostics.flatMap(printDiagnostic)) output.note(line);
    const code = outcome.ok
      ? await (isCheck
          ? checkPair(pair, outcome.pinned, context)
          : writePair(pair, outcome.pinned, project.folder, output))
      : diagnostics.some((diagnostic) => diagnostic.code === "LOCK_DRIFT")
        ? 3
        : 1;
    exitCode = Math.max(exitCode, code);
  }
  return exitCode;
};

/** The script that was named, with the file to write; without one, all of the configuration that name their source. */
async function choosePairs(invocation: Invocation, project: Project): Promise<PinnedPair[]> {
  const { args, options, context } = invocation;
  const [word] = args;
  const [out, code] = [options.text("out"), options.text("eval")];
  const config = await loadConfig(context);
  if (word === undefined && code === undefined && out === undefined) {
    const pairs = await readConfiguredPairs(config);
    if (pairs.length > 0) return pairs;
  }
  const configured = word === undefined ? undefined : await readPair(config.scripts.get(word), config.folder);
  const chosen = out === undefined ? {} : { file: resolve(context.cwd, out), shown: out };
  if (configured !== undefined) return [{ ...configured, ...chosen }];
  const source = await project.read(await readScriptArgument(invocation, "bundle"));
  if ("bundle" in source) throw optionInvalid("bundle", "it is a pinned bundle already: name the script");
  if (out === undefined) throw optionInvalid("--out", "name the file to write");
  return [{ source, file: resolve(context.cwd, out), shown: out }];
}

async function checkPair(pair: PinnedPair, pinned: PinnedBundle, { output, verbose }: CommandContext): Promise<number> {
  const outdated = await findOutdated(pair, pinned);
  if (outdated !== undefined) return reportError(outdated, output, verbose);
  output.note(`${pair.shown} is up to date with ${pair.source.name}.`);
  return 0;
}

async function writePair(
  { file, shown }: PinnedPair,
  pinned: PinnedBundle,
  project: string,
  output: Output,
): Promise<number> {
  const tools = pinned.bundle.manifest.tools.map(({ serverId, toolName }) => `${serverId}/${toolName}`);
  await writeOutputFile(file, formatPinnedBundle(pinned), { project, kind: "pinned bundle" });
  output.note(`Wrote ${shown}: it may call ${tools.length === 0 ? "no tool" : tools.join(", ")}.`);
  return 0;
}
