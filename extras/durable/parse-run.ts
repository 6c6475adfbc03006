import { durableRunDamaged } from "./durable-errors.ts";
import { DURABLE_VERSION, type DurableRun } from "./steps.ts";

/** Reads what a run was begun with. Throws a `CodemodeError` where it is none, or belongs to another run or a newer version. */
export function parseRun(id: string, text: string): DurableRun {
  let run: Partial<DurableRun> | undefined;
  try {
    run = JSON.parse(text) as Partial<DurableRun>;
  } catch {
    throw durableRunDamaged(id, "its beginning is no JSON");
  }
  if (run?.durableVersion !== DURABLE_VERSION)
    throw durableRunDamaged(id, "another version of codemode has written it");
  if (run.id !== id) throw durableRunDamaged(id, "it has the name of another run");
  return run as DurableRun;
}
