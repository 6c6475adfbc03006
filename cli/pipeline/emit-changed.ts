import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LockedServer } from "../../schemas/lockfile.ts";
import type { GeneratedFile } from "../../templates/generated-file.ts";
import type { ToolPlan } from "../../templates/server-plan.ts";
import { digestOf, type EmissionRecord, type EmittedServer } from "./emission-record.ts";

/** What a folder should hold. */
export interface Emission {
  /** Emitted now; they may still equal what is there. */
  files: GeneratedFile[];
  /** Paths of files that are there already, as they should be. */
  kept: string[];
  /** What is known of the servers from now on. */
  record: EmissionRecord;
}

/**
 * Emits the servers, but for what the folder holds already: a tool is emitted again where its lock entry changed, or where
 * one of its files was edited or is missing. An empty record makes it emit everything.
 */
export async function emitChanged(
  folder: string,
  servers: readonly LockedServer[],
  record: EmissionRecord,
): Promise<Emission> {
  const emission = { files: [] as GeneratedFile[], kept: [] as string[], record: new Map<string, EmittedServer>() };
  for (const server of servers) {
    const known = record.get(server.id);
    const intact = known === undefined ? new Set<string>() : findIntact(folder, known.digests);
    const isIntact = known?.source === serverSource(server) && intact.size === known.digests.size;
    // One server after the other: the printers of all at once would fill the memory.
    const part = isIntact ? { files: [], kept: [...intact], emitted: known } : await emitAgain(server, known, intact);
    emission.files.push(...part.files);
    emission.kept.push(...part.kept);
    emission.record.set(server.id, part.emitted);
  }
  return emission;
}

interface EmissionPart {
  files: GeneratedFile[];
  kept: string[];
  emitted: EmittedServer;
}

/** The index of a server is always made; the modules of its tools only where they are not there already. */
async function emitAgain(
  server: LockedServer,
  known: EmittedServer | undefined,
  intact: ReadonlySet<string>,
): Promise<EmissionPart> {
  const [{ planServer }, { emitServerIndex, emitTool }] = await Promise.all([
    import("../../templates/plan.ts"),
    import("../../templates/emit.ts"),
  ]);
  const plan = planServer(server);
  const keptOf = (tool: ToolPlan): string[] => {
    if (known?.tools.get(tool.file) !== toolSource(tool)) return [];
    const paths = [...known.digests.keys()].filter((path) => path.startsWith(`${server.id}/${tool.file}.`));
    return paths.every((path) => intact.has(path)) ? paths : [];
  };
  const keptByTool = new Map(plan.tools.map((tool) => [tool, keptOf(tool)]));
  const changed = plan.tools.filter((tool) => keptByTool.get(tool)?.length === 0);
  const files = [await emitServerIndex(plan), ...(await Promise.all(changed.map(emitTool)))].flat();
  const kept = [...keptByTool.values()].flat();
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
    },
  };
}

/** Everything of a server that its files depend on. */
function serverSource({ id, name, integrity }: LockedServer): string {
  return JSON.stringify([id, name, integrity]);
}

/** Everything of a tool that its files depend on. The names of types depend on the other tools of the server too. */
function toolSource({ serverId, exportName, integrity, file, types }: ToolPlan): string {
  return JSON.stringify([serverId, exportName, integrity, file, types.map(({ name }) => name)]);
}

/** The paths whose files have their digest. Thousands of small files are read several times faster one by one. */
function findIntact(folder: string, digests: ReadonlyMap<string, string>): Set<string> {
  return new Set(
    [...digests].filter(([path, digest]) => readDigest(join(folder, path)) === digest).map(([path]) => path),
  );
}

function readDigest(file: string): string | undefined {
  try {
    return digestOf(readFileSync(file));
  } catch {
    return undefined;
  }
}
