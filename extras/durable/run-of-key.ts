import { programOf } from "../../engine/run/program-of.ts";
import type { DurableRequest } from "../../engine/run/durable-extra.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { foldRun, wasRefused } from "../../schemas/run/fold-run.ts";
import { KEY_REUSED } from "../../schemas/run/run-key.ts";
import type { DurableWork } from "./durable-work.ts";
import type { DurableRun, DurableStore } from "./kept-runs.ts";
import { workOf } from "./run-identity.ts";

/** Removes the run of a key whose script a person has refused, so that the key can begin another one; nothing where another request has done that. */
export async function removeRefused(store: DurableStore, id: string): Promise<void> {
  const owned = await store.claim(id);
  if (owned === undefined || owned === "held") return;
  const folded = foldRun(owned.steps);
  await owned.release(folded.end && "over");
  if (wasRefused(folded)) await store.removeOver(id);
}

/** Why the run of a key is not the one that is asked for; undefined where it is. */
export async function findOtherWork(
  { bundle }: DurableWork,
  { work, program }: DurableRun,
  request: DurableRequest,
): Promise<Diagnostic[] | undefined> {
  if (work !== workOf(request)) return [KEY_REUSED];
  if (program === undefined || bundle === undefined) return undefined;
  const outcome = await bundle(request);
  if (!outcome.ok) return [...outcome.diagnostics];
  return programOf(outcome.bundle) === program ? undefined : [KEY_REUSED];
}
