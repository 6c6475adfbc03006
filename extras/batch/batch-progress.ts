import type { OnProgress } from "../../schemas/progress.ts";

/** Ten lines for the whole batch, however long it is, for where no line can be taken back; of an unknown length, one at each doubling. */
export function makeBatchProgress(note: (line: string) => void): OnProgress {
  let next = 1;
  return ({ done, total, failed = 0 }) => {
    const reached = total === 0 ? Math.log2(done / 1000) : Math.floor((10 * done) / total);
    if (reached < next || done === total) return;
    next = Math.floor(reached) + 1;
    note(`${done}${total === 0 ? "" : ` of ${total}`} done${failed === 0 ? "" : `, ${failed} failed`}`);
  };
}
