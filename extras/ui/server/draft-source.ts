import { withoutMark } from "../../../schemas/text/without-mark.ts";
import { basename, dirname, resolve } from "node:path";
import type { NamedScript } from "../../../schemas/config/named-scripts.ts";
import type { Draft, ScriptView } from "../messages/ui-messages.ts";
import type { RunRequest } from "../../../engine/open-host.ts";
import { RouteProblem } from "./route-problem.ts";
import type { UiProject } from "./ui-project.ts";
import { realpath } from "node:fs/promises";
import { digestText, isInside, readText, writeAtomically } from "../../../engine/files.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";

/** A draft as source to bundle. The page names a script of the configuration, never a folder: so it reads no file besides those of the project. */
export function toDraftSource({ code: text, script }: Draft, project: Pick<UiProject, "config">): RunRequest["script"] {
  const code = withoutMark(text);
  if (script === undefined) return { code, name: "script.ts" };
  const { file } = findNamedScript(script, project);
  const path = resolve(project.config.folder, file);
  return { code, name: basename(path), folder: dirname(path) };
}

/** A script of the configuration whose text can be edited; a pinned bundle has none. */
function findNamedScript(name: string, { config }: Pick<UiProject, "config">): NamedScript {
  const named = config.scripts.get(name);
  if (named === undefined) throw new RouteProblem(404, "The configuration has no script of that name.");
  if (!isEditable(named)) throw new RouteProblem(400, "A pinned bundle cannot be edited.", "Open its script instead.");
  return named;
}

export function isEditable({ file }: NamedScript): boolean {
  return !file.endsWith(".json");
}

/** Writes a script of the configuration in one step: inside the project alone, and only over what its author has seen, whose digest is `before`. */
export async function saveScript(
  project: UiProject,
  { name, code, before }: { name: string; code: string; before: string },
): Promise<{ digest: string }> {
  const { folder } = project.config;
  const { file } = findNamedScript(name, project);
  // A link may lead out of the project.
  const path = await realpath(resolve(folder, file));
  if (!isInside(await realpath(folder), path)) {
    throw new RouteProblem(
      400,
      "The file of this script lies outside of the project.",
      "Edit it with another program.",
    );
  }
  if (digestText(await readText(path, "given")) !== before) {
    throw new RouteProblem(409, "The file has changed since it was opened here.", "Copy your text, and open it again.");
  }
  await writeAtomically(path, code, { project: folder });
  return { digest: digestText(code) };
}

/** A script of the configuration as it is in its file now. */
export async function openScript(project: UiProject, name: string): Promise<ScriptView> {
  const { file, description } = findNamedScript(name, project);
  const code = await readText(resolve(project.config.folder, file), "given");
  return { name, file, ...withoutUndefined({ description }), code, digest: digestText(code) };
}
