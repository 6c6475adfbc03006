import type { OutputChunk } from "rollup";
import type { Manifest } from "../../../schemas/bundle.ts";
import { byCodeUnits } from "../../../schemas/canonical-json.ts";
import type { ServerPackage } from "./load-server-package.ts";
import { toServerModuleId } from "./module-ids.ts";

/** Lists the tools whose bindings are left in the bundle after unused code was dropped. */
export function collectManifest(chunk: OutputChunk, servers: ReadonlyMap<string, ServerPackage>): Manifest {
  const tools = [...servers.values()].flatMap(({ serverId, tools: generated }) =>
    [...generated.values()]
      .filter(({ module, exportName }) =>
        chunk.modules[toServerModuleId(serverId, module)]?.renderedExports.includes(exportName),
      )
      .map(({ toolName, exportName, integrity }) => ({ serverId, toolName, exportName, integrity })),
  );
  return {
    tools: tools.toSorted(
      (left, right) => byCodeUnits(left.serverId, right.serverId) || byCodeUnits(left.toolName, right.toolName),
    ),
  };
}
