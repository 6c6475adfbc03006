import { stat } from "node:fs/promises";
import { join } from "node:path";
import { clock } from "../../../engine/clock.ts";
import { unlessMissing } from "../../../engine/files.ts";
import type { FreeRun } from "../kept-runs.ts";
import { waitOf } from "../steps.ts";
import { type HeadFile, type Heads, HEADS, listNames } from "./file-heads.ts";

/** What is known of the runs of a folder by their heads alone. */
interface Rests {
  waiting: readonly FreeRun[];
  /** Only a look at the run itself says how it stands. */
  headless: readonly string[];
}

interface Known {
  file: string;
  /** Undefined where it does not go on by itself. */
  run: FreeRun | undefined;
}

/** Two changes within this time may leave the same time on a folder. */
const COARSE_MS = 2000;

/** How often all is looked at again: a cancellation is written beside the steps of its run, and changes no head. */
const WHOLE_EVERY_MS = 60_000;

/**
 * Looks at what rests, again and again. While nothing changes a look is the time of two folders; where something has changed, it is their names and the
 * heads that are new.
 * @param hasCome whether something has come for a run that it does not know of
 */
export function makeRestLooks(folder: string, heads: Heads, hasCome: (id: string) => boolean): () => Promise<Rests> {
  let known = new Map<string, Known>();
  let last: { rests: Rests; changed: string; wholeAt: number } | undefined;

  const toKnown = (file: HeadFile): Known | undefined => {
    if (!heads.isLast(file)) return undefined;
    if (file.state !== "waiting") return { file: file.name, run: undefined };
    const { id, token } = file;
    const head = heads.readOne(file);
    const wait = head && waitOf(head);
    return wait && { file: file.name, run: { id, token, wait, hasCome: hasCome(id) } };
  };
  const lookAtAll = async (isWhole: boolean): Promise<Rests> => {
    const files = await heads.find();
    const before = known;
    known = new Map();
    const [waiting, headless]: [FreeRun[], string[]] = [[], []];
    for (const id of await listNames(folder)) {
      const file = files.get(id);
      const found = before.get(id);
      const isKnown = !isWhole && found !== undefined && found.file === file?.name;
      const rest = isKnown ? found : file && toKnown(file);
      if (rest === undefined) headless.push(id);
      else known.set(id, rest);
      if (rest?.run !== undefined) waiting.push(rest.run);
    }
    return { waiting, headless };
  };
  return async () => {
    const now = clock.now();
    const isWhole = last === undefined || now - last.wholeAt > WHOLE_EVERY_MS;
    const changed = await readTimes(folder);
    if (!isWhole && changed !== undefined && changed === last?.changed) return last.rests;
    const rests = await lookAtAll(isWhole);
    last = { rests, changed: changed ?? "", wholeAt: isWhole ? now : (last?.wholeAt ?? now) };
    return rests;
  };
}

/** When the folders have changed; undefined where that was just now, so that a further change may not be seen. */
async function readTimes(folder: string): Promise<string | undefined> {
  const times: number[] = [];
  for (const each of [folder, join(folder, HEADS)]) {
    const { mtimeMs = 0 } = (await stat(each).catch(unlessMissing)) ?? {};
    if (Math.abs(clock.wall() - mtimeMs) < COARSE_MS) return undefined;
    times.push(mtimeMs);
  }
  return times.join(" ");
}
