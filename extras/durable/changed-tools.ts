import type { BundlesScripts } from "../../engine/run/prepared-script.ts";
import type { DurableRequest } from "../../engine/run/durable-extra.ts";
import { isProgram } from "../../schemas/config/program-server.ts";
import { type ChangeSeverity, CHANGE_SEVERITY_NAMES } from "../../schemas/diff/change.ts";
import { diffDefinition } from "../../schemas/diff/diff-lockfiles.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { findOperation } from "../../schemas/lock/operations.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Manifest, ManifestTool } from "../../schemas/run/bundle.ts";
import type { PinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import type { DurableRun, ToolThen } from "./kept-runs.ts";

/** The definitions of the tools of a bundle: whether one has changed in its words alone can be said later. */
export function toolsThen({ tools }: Manifest, { servers }: Lockfile): ToolThen[] {
  return tools.flatMap(({ serverId, toolName }) => {
    const tool = findOperation(servers.get(serverId), toolName);
    return tool === undefined ? [] : [{ serverId, tool }];
  });
}

/** With such a change each input that a tool took before means the same. */
const HARMLESS: readonly ChangeSeverity[] = ["text", "compatible", "observed"];

/**
 * A bundler for a run of a journal: nothing is bundled. A tool whose words have changed, or that takes or gives more than before, is called as it is now, and
 * what people have decided holds. With another change the run goes on where `mayChange` says so, and its questions are put again.
 */
export function makeRunBundler(
  { id, tools: before }: Pick<DurableRun, "id" | "tools">,
  { bundle }: PinnedBundle,
  mayChange: DurableRequest["mayChange"],
): BundlesScripts {
  return {
    async bundle(_script, { lockfile }) {
      const looked = bundle.manifest.tools.map((entry) => lookAt(entry, before, lockfile));
      const changed = looked.filter(({ why }) => why !== undefined);
      const isGone = changed.some(({ entry }) => entry === undefined);
      const names = changed.map(({ name }) => name);
      const goesOn = changed.length === 0 || (!isGone && (await mayChange?.(names)) === true);
      if (!goesOn) return { ok: false, diagnostics: changed.map((each) => describe(id, each)) };
      const tools = looked.flatMap(({ entry }) => entry ?? []);
      return { ok: true, bundle: { ...bundle, manifest: { tools } }, warnings: [], isPinned: true };
    },
  };
}

/** How a tool of the manifest stands; without an `entry` it is gone. */
interface LookedAt {
  name: string;
  server: LockedServer | undefined;
  entry?: ManifestTool;
  /** Why the run does not go on with it unasked. */
  why?: string;
}

function lookAt(entry: ManifestTool, before: readonly ToolThen[], { servers }: Lockfile): LookedAt {
  const { serverId, toolName, integrity } = entry;
  const server = servers.get(serverId);
  const looked = { name: `${serverId}/${toolName}`, server };
  const now = findOperation(server, toolName);
  if (now === undefined) return { ...looked, why: "is gone" };
  if (now.integrity === integrity) return { ...looked, entry };
  const then = before.find((each) => each.serverId === serverId && each.tool.name === toolName)?.tool;
  const severity = then && diffDefinition(serverId, then, now).severity;
  // What no person has accepted yet has no words here to compare.
  if (severity !== undefined && now.pending === undefined && HARMLESS.includes(severity))
    return { ...looked, entry: { ...entry, integrity: now.integrity, bundledIntegrity: integrity } };
  const grade = severity === undefined || now.pending !== undefined ? "" : ` (${CHANGE_SEVERITY_NAMES[severity]})`;
  return { ...looked, entry: { ...entry, integrity: now.integrity }, why: `has changed${grade}` };
}

function describe(id: string, { name, server, entry, why }: LookedAt): Diagnostic {
  const isOwn = server === undefined || isProgram(server);
  const look = isOwn ? "Start the program with the tool as it was" : "Review the change with `codemode diff`";
  const goOn = isOwn
    ? "give `mayChange` to `resume` to go on with it as it is"
    : `go on with it as it is by \`codemode runs ${id} --resume\` in a terminal, or by \`mayChange\` in the library`;
  const hint =
    entry === undefined
      ? "The run goes on when the tool is there again. Or cancel the run."
      : `${look}, or ${goOn}. Or cancel the run.`;
  return {
    severity: "error",
    code: "LOCK_DRIFT",
    message: `The tool ${name} ${why} since the run began.`,
    hint,
  };
}
