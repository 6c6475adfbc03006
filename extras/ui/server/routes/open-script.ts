import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { resolve } from "node:path";
import type { ScriptView } from "../../../../schemas/ui-messages.ts";
import { digestText, readText } from "../../../../engine/files.ts";
import { findNamedScript } from "../draft-source.ts";
import type { UiProject } from "../ui-project.ts";

/** A script of the configuration as it is in its file now. */
export async function openScript(project: UiProject, name: string): Promise<ScriptView> {
  const { file, description } = findNamedScript(name, project);
  const code = await readText(resolve(project.config.folder, file));
  return { name, file, ...withoutUndefined({ description }), code, digest: digestText(code) };
}
