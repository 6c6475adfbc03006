import type { DraftPlace, WordView } from "../../../../schemas/ui-messages.ts";
import { toDraftSource } from "../draft-source.ts";
import type { UiProject } from "../ui-project.ts";

/** The type of the word at a place of a draft; null where there is nothing to say. */
export async function describeWord(project: UiProject, { offset, ...draft }: DraftPlace): Promise<WordView | null> {
  return (await project.checker.describe(toDraftSource(draft, project), project.host.lockfile(), offset)) ?? null;
}
