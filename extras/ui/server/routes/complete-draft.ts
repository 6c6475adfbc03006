import type { CompletionList, DraftPlace } from "../../../../schemas/ui-messages.ts";
import { toDraftSource } from "../draft-source.ts";
import type { UiProject } from "../ui-project.ts";

/** What may be written at a place of a draft. */
export function completeDraft(project: UiProject, { offset, ...draft }: DraftPlace): Promise<CompletionList> {
  return project.checker.complete(toDraftSource(draft, project), project.host.lockfile(), offset);
}
