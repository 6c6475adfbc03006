import { resolve } from "node:path";
import type { Config } from "../../schemas/config/config.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { formatPinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import type { Command, CommandContext, Invocation } from "../command.ts";
import { bundlePlaces } from "../../engine/project/bundle-places.ts";
import { readConfiguredPairs, readPair } from "../../engine/host/pinned/configured-pairs.ts";
import { writeAtomically } from "../../engine/project/files.ts";
import { findScript } from "../../engine/project/find-script.ts";
import { checkFollows, type PinnedPair } from "../../engine/host/pinned/follows-script.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { pinScript } from "../../engine/host/pinned/pin-script.ts";
import { prepareForScript } from "../../engine/project/prepare-for-script.ts";
import { printDiagnostic } from "../../schemas/run/print-diagnostic.ts";
import { reportError } from "../print/report.ts";

/** `codemode bundle`: writes pinned bundles, which `codemode run` runs as they are, or with `--check` says which are outdated. */
export const bundle: Command = async (invocation) => {
  const { options, context } = invocation;
  const config = await loadConfig(context);
  const pairs = await choosePairs(invocation, config);
  const { output, showProgress, signal } = context;
  const isCheck = options.has("check");
  const frozen = options.has("frozen") || isCheck;
  const work = isCheck ? checkPair : writePair;
  let exitCode = 0;
  for (const pair of pairs) {
    const { lockfile } = await prepareForScript(config, pair.source, {
      frozen,
      note: output.note,
      showProgress,
      signal,
    });
    exitCode = Math.max(exitCode, await work(pair, { config, lockfile, context }));
  }
  return exitCode;
};

/** The script that was named, with the file to write; without one, all of the configuration that name their source. */
async function choosePairs({ args, options, context }: Invocation, config: Config): Promise<PinnedPair[]> {
  const [word] = args;
  const [out, code] = [options.text("out"), options.text("eval")];
  if (word === undefined && code === undefined) {
    const pairs = out === undefined ? await readConfiguredPairs(config) : [];
    if (pairs.length > 0) return pairs;
    throw optionInvalid("bundle", "name a script or its file, - for standard input, or --eval");
  }
  const configured = word === undefined ? undefined : await readPair(config.scripts.get(word), config.folder);
  const chosen = out === undefined ? {} : { file: resolve(context.cwd, out), shown: out };
  if (configured !== undefined) return [{ ...configured, ...chosen }];
  const found = await findScript({ file: word, code, cwd: context.cwd }, config);
  if (found?.kind !== "source")
    throw optionInvalid("bundle", "name a script or its file, - for standard input, or --eval");
  if (out === undefined) throw optionInvalid("--out", "name the file to write");
  return [{ source: found.source, file: resolve(context.cwd, out), shown: out }];
}

interface Work {
  config: Config;
  lockfile: Lockfile;
  context: CommandContext;
}

async function checkPair(pair: PinnedPair, { config, lockfile, context }: Work): Promise<number> {
  const { output, verbose } = context;
  const { diagnostics, outdated } = await checkFollows(pair, config, lockfile);
  for (const line of diagnostics.flatMap(printDiagnostic)) output.note(line);
  if (diagnostics.length > 0) return diagnostics.some(({ code }) => code === "LOCK_DRIFT") ? 3 : 1;
  if (outdated !== undefined) return reportError(outdated, output, verbose);
  output.note(`${pair.shown} follows from ${pair.source.name}.`);
  return 0;
}

async function writePair({ source, file, shown }: PinnedPair, { config, lockfile, context }: Work): Promise<number> {
  const { output } = context;
  const outcome = await pinScript(source, { ...bundlePlaces(config), lockfile });
  const diagnostics = outcome.ok ? outcome.warnings : outcome.diagnostics;
  for (const line of diagnostics.flatMap(printDiagnostic)) output.note(line);
  if (!outcome.ok) return diagnostics.some(({ code }) => code === "LOCK_DRIFT") ? 3 : 1;
  const { tools } = outcome.pinned.bundle.manifest;
  await writeAtomically(file, formatPinnedBundle(outcome.pinned), { project: config.folder });
  output.note(`Wrote ${shown}: it may call ${tools.length === 0 ? "no tool" : listTools(tools)}.`);
  return 0;
}

function listTools(tools: readonly { serverId: string; toolName: string }[]): string {
  return tools.map(({ serverId, toolName }) => `${serverId}/${toolName}`).join(", ");
}
