import { resolve } from "node:path";
import { invalidOption } from "../../schemas/errors.ts";
import { formatPinnedBundle } from "../../schemas/pinned-bundle.ts";
import type { Command } from "../command.ts";
import { writeTextAtomically } from "../pipeline/files.ts";
import { findScript } from "../pipeline/find-script.ts";
import { loadConfig } from "../pipeline/load-config.ts";
import { pinScript } from "../pipeline/pin-script.ts";
import { prepareForScript } from "../pipeline/prepare-for-script.ts";
import { printDiagnostic } from "../print-diagnostic.ts";
import { bundlePlaces } from "../pipeline/bundle-places.ts";

/** `codemode bundle`: writes a pinned bundle, which `codemode run` runs as it is. */
export const bundle: Command = async ({ args, options, context }) => {
  const config = await loadConfig(context);
  const found = await findScript({ file: args[0], code: options.text("eval"), cwd: context.cwd }, config);
  if (found?.kind !== "source")
    throw invalidOption("bundle", "name a script or its file, - for standard input, or --eval");
  const out = options.text("out");
  if (out === undefined) throw invalidOption("--out", "name the file to write");
  const { output, showProgress, signal } = context;
  const preparing = { frozen: options.has("frozen"), note: output.note, showProgress, signal };
  const { lockfile } = await prepareForScript(config, found.source, preparing);
  const outcome = await pinScript(found.source, { ...bundlePlaces(config), lockfile });
  const diagnostics = outcome.ok ? outcome.warnings : outcome.diagnostics;
  for (const line of diagnostics.flatMap(printDiagnostic)) context.output.note(line);
  if (!outcome.ok) return diagnostics.some(({ code }) => code === "LOCK_DRIFT") ? 3 : 1;
  const { tools } = outcome.pinned.bundle.manifest;
  await writeTextAtomically(resolve(context.cwd, out), formatPinnedBundle(outcome.pinned));
  context.output.note(`Wrote ${out}: it may call ${tools.length === 0 ? "no tool" : listTools(tools)}.`);
  return 0;
};

function listTools(tools: readonly { serverId: string; toolName: string }[]): string {
  return tools.map(({ serverId, toolName }) => `${serverId}/${toolName}`).join(", ");
}
