import { basename, dirname, resolve } from "node:path";
import type { NamedScript } from "../../../schemas/config/named-scripts.ts";
import type { Draft } from "../../../schemas/ui-messages.ts";
import type { RunRequest } from "../../../engine/open-host.ts";
import { RouteProblem } from "./route-problem.ts";
import type { UiProject } from "./ui-project.ts";

/** A draft as source to bundle. The page names a script of the configuration, never a folder: so it reads no file besides those of the project. */
export function toDraftSource({ code, script }: Draft, project: Pick<UiProject, "config">): RunRequest["script"] {
  if (script === undefined) return { code, name: "script.ts" };
  const { file } = findNamedScript(script, project);
  const path = resolve(project.config.folder, file);
  return { code, name: basename(path), folder: dirname(path) };
}

/** A script of the configuration whose text can be edited; a pinned bundle has none. */
export function findNamedScript(name: string, { config }: Pick<UiProject, "config">): NamedScript {
  const named = config.scripts.get(name);
  if (named === undefined) throw new RouteProblem(404, "The configuration has no script of that name.");
  if (!isEditable(named)) throw new RouteProblem(400, "A pinned bundle cannot be edited.", "Open its script instead.");
  return named;
}

export function isEditable({ file }: NamedScript): boolean {
  return !file.endsWith(".json");
}
