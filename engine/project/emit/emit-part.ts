import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import type { GeneratedFile } from "../../../templates/generated-file.ts";
import { type ToolPlan, serverSource, toolSource } from "../../../templates/server-plan.ts";
import { digestOf, type EmittedServer } from "./emission-record.ts";

/** A server to emit again, and its existing files. */
export interface EmissionJob {
  server: LockedServer;
  /** The last emission; undefined if unknown. */
  known: EmittedServer | undefined;
  /** The paths of known files that are there as they were emitted. */
  intact: ReadonlySet<string>;
}

/** What one server adds to an emission. */
export interface EmissionPart {
  files: GeneratedFile[];
  kept: string[];
  emitted: EmittedServer;
}

/** Emits one server. Its index is always made; the modules of its tools only where they are not there already. */
export async function emitPart({ server, known, intact }: EmissionJob): Promise<EmissionPart> {
  const [{ planServer }, { emitServerIndex, emitTool }] = await Promise.all([
    import("../../../templates/plan.ts"),
    import("../../../templates/emit.ts"),
  ]);
  const plan = planServer(server);
  const knownPaths = known === undefined ? new Map<string, string[]>() : groupByModule([...known.digests.keys()]);
  const keptOf = (tool: ToolPlan): string[] => {
    if (known?.tools.get(tool.file) !== toolSource(tool)) return [];
    const paths = knownPaths.get(`${server.id}/${tool.file}`) ?? [];
    return paths.every((path) => intact.has(path)) ? paths : [];
  };
  const keptByTool = new Map(plan.tools.map((tool) => [tool, keptOf(tool)]));
  const changed = plan.tools.filter((tool) => keptByTool.get(tool)?.length === 0);
  const files = [await emitServerIndex(plan), ...(await Promise.all(changed.map(emitTool)))].flat();
  const kept = [...keptByTool.values()].flat();
  const keptPaths = new Set(kept);
  return {
    files,
    kept,
    emitted: {
      source: serverSource(server),
      tools: new Map(plan.tools.map((tool) => [tool.file, toolSource(tool)])),
      digests: new Map([
        ...kept.map((path) => [path, known?.digests.get(path) ?? ""] as const),
        ...files.map(({ path, text }) => [path, digestOf(text)] as const),
      ]),
      stamps: new Map([...(known?.stamps ?? [])].filter(([path]) => keptPaths.has(path))),
    },
  };
}

/** Paths by what is in front of their first dot: neither ids nor the names of files have one. */
function groupByModule(paths: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const module = path.slice(0, path.indexOf("."));
    groups.set(module, [...(groups.get(module) ?? []), path]);
  }
  return groups;
}
