import { ownValue, type JsonObject } from "../schemas/json/json.ts";
import type { NamedScript } from "../schemas/config/named-scripts.ts";
import type { ServeSettings, SurfaceKind } from "../schemas/config/serve-settings.ts";
import { fitToClient } from "./surfaces/fit-to-client.ts";
import { withDirectTools } from "./surfaces/direct-tools.ts";
import type { Presentation } from "./presentation.ts";
import type { ServedView, Surface } from "./surface.ts";
import { listSkillResources, readSkillResource } from "./skill.ts";
import { makeFilesSurface } from "./surfaces/files-surface.ts";
import { makeRunSurface } from "./surfaces/run-surface.ts";
import { RUN_ALIASES } from "./surfaces/run-tool.ts";
import { nameScriptTools, withScriptTools } from "./surfaces/script-tools.ts";
import { makeSearchSurface } from "./surfaces/search-surface.ts";
import { listTypeResources, listTypeTemplates, readTypeResource } from "./type-resources.ts";
import { makeWriteScriptPrompt, WRITE_SCRIPT } from "./write-script-prompt.ts";

const SURFACES: Record<SurfaceKind, (view: ServedView, settings: ServeSettings) => Surface> = {
  run: makeRunSurface,
  search: makeSearchSurface,
  files: makeFilesSurface,
};

/** Names of tools that belong to a surface. */
const OWN_NAMES = ["search", "execute", "listToolFiles", "readToolFile", "getToolDocs", "executeToolCode"];

/** Presents a view to an agent, as the settings say; `scripts` may be tools too. Nothing is computed before it is asked for. */
export function present(view: ServedView, settings: ServeSettings, scripts: Iterable<NamedScript> = []): Presentation {
  const taken = new Set([
    ...RUN_ALIASES,
    ...OWN_NAMES,
    ...(settings.toolName === undefined ? [] : [settings.toolName]),
  ]);
  const scriptTools = nameScriptTools(scripts, taken);
  const own = SURFACES[settings.surface](view, settings);
  const surface = withScriptTools(withDirectTools(own, view, settings.direct, [...taken]), view, scriptTools);
  const writeScript = makeWriteScriptPrompt(settings);
  return {
    surface: withLatest(fitToClient(surface), view),
    lockfile: () => view.lockfile(),
    listResources: () => [...listTypeResources(view.lockfile()), ...listSkillResources(view.lockfile())],
    listResourceTemplates: listTypeTemplates,
    readResource: async (uri) =>
      readSkillResource(view.lockfile(), uri) ?? (await readTypeResource(view.lockfile(), uri)),
    listPrompts: () => [WRITE_SCRIPT],
    async getPrompt(name, input): Promise<JsonObject | undefined> {
      if (name !== WRITE_SCRIPT["name"]) return undefined;
      const task = ownValue(input, "task");
      return writeScript(view.lockfile(), typeof task === "string" ? task : "");
    },
  };
}

/** Each list shows what was learned of results until then. */
function withLatest(surface: Surface, view: ServedView): Surface {
  return {
    ...surface,
    async listTools(client) {
      await view.refresh();
      return surface.listTools(client);
    },
  };
}
