import type { OutputChunk } from "rollup";
import type { Manifest } from "../../../schemas/run/bundle.ts";
import { matchesAny } from "../../../schemas/access/glob.ts";
import { byCodeUnits } from "../../../schemas/json/canonical-json.ts";
import type { ServerPackage } from "./load-server-package.ts";
import { toServerModuleId } from "../modules/module-ids.ts";

/** Lists the tools whose bindings are left in the bundle after unused code was dropped. */
export function collectManifest(chunk: OutputChunk, servers: ReadonlyMap<string, ServerPackage>): Manifest {
  const tools = [...servers.values()].flatMap(({ serverId, moduleId, tools: generated }) =>
    [...generated.values()]
      .filter(({ module, exportName }) =>
        chunk.modules[toServerModuleId(moduleId, module)]?.renderedExports.includes(exportName),
      )
      .map(({ toolName, exportName, integrity }) => ({ serverId, toolName, exportName, integrity })),
  );
  return sortManifest(tools);
}

export function sortManifest(tools: Manifest["tools"]): Manifest {
  return {
    tools: tools.toSorted(
      (left, right) => byCodeUnits(left.serverId, right.serverId) || byCodeUnits(left.toolName, right.toolName),
    ),
  };
}

/** What is left of a manifest when a script wants less: the tools of the servers, or of the patterns, that it requests. */
export function narrowManifest(manifest: Manifest, requested: readonly string[] | undefined): Manifest {
  if (requested === undefined) return manifest;
  const isRequested = ({ serverId, toolName }: Manifest["tools"][number]): boolean =>
    requested.includes(serverId) || matchesAny(`${serverId}/${toolName}`, requested);
  return { tools: manifest.tools.filter(isRequested) };
}
