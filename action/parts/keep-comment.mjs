import { markerOf } from "./summarize.mjs";

/**
 * Keeps one comment up to date: it is created when there is something to say, and updated from then on.
 * @param result of the review: its name, its summary, and whether it is quiet
 * @param comments how the forge lists its own comments as `{ id, body }`, creates one and updates one
 * @returns what was done: created, updated, unchanged, or none
 */
export async function keepComment({ name, summary, isQuiet }, { listOwn, create, update }) {
  const marker = markerOf(name);
  const found = (await listOwn()).find(({ body }) => body?.startsWith(marker) === true);
  if (found === undefined && isQuiet) return "none";
  if (found === undefined) await create(summary);
  else if (found.body.trimEnd() === summary.trimEnd()) return "unchanged";
  else await update(found.id, summary);
  return found === undefined ? "created" : "updated";
}
