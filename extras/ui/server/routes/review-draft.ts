import { ownAccess } from "../../../../schemas/access/access.ts";
import type { Draft, DraftReview } from "../../../../schemas/ui-messages.ts";
import { inspectScript } from "../../../../engine/inspect-script.ts";
import { toDraftSource } from "../draft-source.ts";
import type { UiProject } from "../ui-project.ts";

/** What bundler, type checker and policy say of a draft, and what it may call. Runs nothing, and connects no server. */
export async function reviewDraft(project: UiProject, draft: Draft): Promise<DraftReview> {
  const { config, host, checker } = project;
  const access = ownAccess(config.policy);
  const script = { kind: "source" as const, source: toDraftSource(draft, project) };
  return inspectScript(script, {
    config,
    lockfile: host.lockfile(),
    checker,
    bundle: (source) => host.bundle({ script: source, access }),
  });
}
