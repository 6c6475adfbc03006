import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { digestText, isInside, readText, writeAtomically } from "../../../../engine/files.ts";
import { findNamedScript } from "../draft-source.ts";
import { RouteProblem } from "../route-problem.ts";
import type { UiProject } from "../ui-project.ts";

/** A text for the file of a script, and the digest of the text that it takes the place of. */
export interface ScriptToSave {
  name: string;
  code: string;
  before: string;
}

/** Writes a script of the configuration in one step: inside the project alone, and only over what its author has seen. */
export async function saveScript(
  project: UiProject,
  { name, code, before }: ScriptToSave,
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
  if (digestText(await readText(path)) !== before) {
    throw new RouteProblem(409, "The file has changed since it was opened here.", "Copy your text, and open it again.");
  }
  await writeAtomically(path, code, { project: folder });
  return { digest: digestText(code) };
}
