import type { SurfaceKind } from "../../schemas/config/config-file.ts";
import type { ServeSettings } from "../../schemas/config/serve-settings.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { OptionValues } from "../command.ts";

const SURFACES: readonly string[] = ["run", "search", "files"] satisfies SurfaceKind[];

/** The settings of `serve`, with what the command line says in their place. */
export function withServeOptions(settings: ServeSettings, options: OptionValues): ServeSettings {
  const toolName = options.text("toolName") ?? settings.toolName;
  if (toolName !== undefined && !/^[A-Za-z0-9_.-]{1,128}$/.test(toolName)) {
    throw optionInvalid("--tool-name", "use 1 to 128 letters, digits, dots, dashes or underscores");
  }
  const surface = options.text("surface") ?? settings.surface;
  if (!SURFACES.includes(surface)) throw optionInvalid("--surface", `use one of ${SURFACES.join(", ")}`);
  const metrics = options.text("metrics");
  if (metrics !== undefined && !options.has("http")) throw optionInvalid("--metrics", "it needs --http");
  return {
    ...settings,
    ...withoutUndefined({ toolName }),
    surface: surface as SurfaceKind,
    ...withoutUndefined({ metrics: metrics === undefined ? undefined : { ...settings.metrics, address: metrics } }),
  };
}
