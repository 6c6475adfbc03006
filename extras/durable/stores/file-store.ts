import { randomBytes } from "node:crypto";
import { existsSync, writeSync } from "node:fs";
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clock } from "../../../engine/clock.ts";
import { unlessExists, unlessMissing } from "../../../engine/files.ts";
import { flushFiles } from "../../../runtime/files/replace-file.ts";
import { RUN_ID } from "../../../engine/run-id.ts";
import { isJsonObject } from "../../../schemas/json/json.ts";
import { durableRunDamaged, unlessDamaged } from "../durable-errors.ts";
import {
  type DurableRun,
  type DurableStore,
  type KeptRun,
  LEASE_MS,
  type ListedRun,
  type OwnedRun,
  type Rest,
  type RunHead,
  RunTaken,
  type StoredRun,
} from "../kept-runs.ts";
import { inTurns, joinWhenNeeded, makeOwnedRun, withFileErrors } from "../run-store.ts";
import { makeTextSealer, type Sealer } from "../../../engine/store-plan.ts";
import { makeMessageFiles } from "./message-files.ts";
import type { Step } from "../../../schemas/run/durable-run.ts";
import { parseRun } from "../steps.ts";
import { type Heads, listNames, openHeads } from "./file-heads.ts";
import { makeRestLooks } from "./file-rests.ts";
import { type Lines, makeLines, stepsFile, OWN_ONLY, readFirstLine, readRunFile, RUN } from "./file-lines.ts";
import { isHeard, joinOwners, type Owner } from "./file-owners.ts";

// A run is a folder: `run.json`, which never changes, and `steps.N.jsonl`, one file for each process that has had the run, N counting
// them. Making the next file is the claim: its first line says how much of the files before it counts, so what a process that was
// stopped adds later is not read. `owners` has a file for each process, whose time of change is its sign of life. `heads` has one for
// each run that rests: how it stands, for those who only look.

/** Opens the store of a folder, which belongs to this account alone. */
export async function openFileStore<Run extends KeptRun = DurableRun>(
  folder: string,
  sealer: Sealer | undefined,
  leaseMs: number = LEASE_MS,
): Promise<DurableStore<Run>> {
  const texts = makeTextSealer(sealer);
  const { print, parse } = makeLines(texts);
  const owners = joinWhenNeeded(() => joinOwners(folder, leaseMs));
  const handles = new Set<FileHandle>();
  const heads = openHeads(folder, texts);

  const own = async (id: string, token: number, run: Run): Promise<OwnedRun<Run> | "held"> => {
    const owner = await owners.get();
    const handle = await open(join(folder, id, stepsFile(token)), "ax", OWN_ONLY).catch(unlessHad);
    if (handle === undefined) return "held";
    handles.add(handle);
    const claimed = async (): Promise<OwnedRun<Run>> => {
      for (const name of [...RESTS, releasedOf(token - 1)]) await rm(join(folder, id, name), { force: true });
      await heads.remove(id, token - 1);
      return makeOwned({ ...{ folder, run, token, owner, handle, heads }, lines: { print, parse } });
    };
    const owned = await claimed().catch(async (error: unknown) => {
      // Else its process would have a run that nothing goes on with.
      if (token > 1)
        await writeFile(join(folder, id, releasedOf(token)), "", { mode: OWN_ONLY }).catch(() => undefined);
      throw error;
    });
    const release: OwnedRun<Run>["release"] = async (rest) => {
      handles.delete(handle);
      await owned.release(rest);
    };
    return { ...owned, release };
  };

  const isOwned = async (id: string, token?: number): Promise<boolean> => {
    const owner = RUN_ID.test(id) ? await lastOwner(folder, id, parse, token) : undefined;
    return owner !== undefined && isHeard(folder, owner);
  };
  const read = async (id: string): Promise<(StoredRun<Run> & { token: number }) | undefined> => {
    if (!RUN_ID.test(id)) return undefined;
    const kept = await readRunFile(folder, id, RUN);
    if (kept === undefined) return undefined;
    const text = texts.open(`step/${id}/0/0`, kept.toString());
    if (text === undefined) throw durableRunDamaged(id, "it was changed, or written with another key");
    const token = await lastToken(join(folder, id));
    // In this order: what it has done before it gave the run back is read.
    const owned = { isOwned: await isOwned(id, token) };
    return { run: parseRun(id, text) as Run, token, ...(await readSteps(folder, id, token, parse)), ...owned };
  };

  const { runsWithMessages, forget, ...messages } = makeMessageFiles(
    folder,
    texts,
    (id) => RUN_ID.test(id) && existsSync(join(folder, id, RUN)),
  );
  const store: DurableStore<Run> = {
    async create(run, steps = []) {
      await owners.get();
      const place = join(folder, run.id);
      if (!(await beginRun(place, print(run.id, 0, 0, run)))) return "held";
      const begun = await own(run.id, 1, run).catch((error: unknown) => removeBegun(place, error));
      if (begun !== "held" && steps.length > 0) await begun.append(steps, true);
      return begun;
    },
    async claim(id) {
      const found = await read(id);
      if (found === undefined) return undefined;
      return found.isOwned ? "held" : own(id, found.token + 1, found.run);
    },
    read,
    ...makeLookups(folder, { isOwned, heads, runsWithMessages, forget }),
    ...messages,
    async close() {
      await owners.latest()?.leave();
      for (const handle of handles) await handle.close().catch(() => undefined);
    },
  };
  return withFileErrors(store, folder);
}

/** Another process has just taken the run, or removed it. */
function unlessHad(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") unlessExists(error);
}

/** False where there is a run. A process may have been killed before it had written it. */
async function beginRun(place: string, text: string): Promise<boolean> {
  const made = await mkdir(place, { mode: 0o700 }).then(() => true, unlessExists);
  if (made !== true && existsSync(join(place, RUN))) return false;
  return (await writeFlushed(join(place, RUN), text)) === true;
}

/** Of a run that cannot be had: its caller learns that nothing has begun. */
async function removeBegun(place: string, error: unknown): Promise<never> {
  if (!existsSync(join(place, stepsFile(2)))) await rm(place, { recursive: true, force: true }).catch(() => undefined);
  throw error;
}

interface Looked {
  isOwned: (id: string, token?: number) => Promise<boolean>;
  heads: Heads;
  runsWithMessages: () => Promise<Set<string>>;
  forget: (id: string) => Promise<void>;
}

/** What is known of runs without their steps, and done to them from outside. */
function makeLookups(folder: string, { isOwned, heads, runsWithMessages, forget }: Looked) {
  const look = makeRestLooks(folder, heads, (id) => existsSync(join(folder, id, CANCELLED)));
  return {
    isOwned,
    list: () => listRuns(folder, heads),
    async head(id: string) {
      const token = await findToken(folder, id);
      return token === undefined ? undefined : heads.readLast(id, token);
    },
    async listFree() {
      const { waiting, headless } = await look();
      const moving = headless.filter((id) => !RESTS.some((rest) => existsSync(join(folder, id, rest))));
      const begun = await findBegun(folder, moving);
      const areOwned = await inTurns(begun, ({ id }) => isOwned(id).catch(unlessDamaged));
      const free = begun.filter((_, at) => areOwned[at] !== true);
      const called = await runsWithMessages();
      const woken =
        called.size === 0 ? waiting : waiting.map((run) => (called.has(run.id) ? { ...run, hasCome: true } : run));
      return [...free.map(({ id }) => ({ id })), ...woken];
    },
    async cancel(id: string) {
      if (RUN_ID.test(id) && existsSync(join(folder, id)))
        await writeFile(join(folder, id, CANCELLED), "", { mode: OWN_ONLY });
    },
    cancelled: async (ids: readonly string[]) => ids.filter((id) => existsSync(join(folder, id, CANCELLED))),
    async stampOf(id: string) {
      const token = await findToken(folder, id);
      if (token === undefined) return undefined;
      const size = (await lstat(join(folder, id, stepsFile(token))).catch(unlessMissing))?.size;
      return `${token} ${size} ${await isOwned(id, token)}`;
    },
    async sweep() {
      const resting = await heads.find();
      const names = await listNames(folder);
      const headless = names.filter((id) => !resting.has(id));
      const begun = new Set((await findBegun(folder, headless)).map(({ id }) => id));
      for (const id of headless.filter((name) => !begun.has(name))) {
        const found = await stat(join(folder, id)).catch(unlessMissing);
        if (found !== undefined && clock.wall() - found.mtimeMs > LEFT_MS)
          await rm(join(folder, id), { recursive: true });
      }
      for (const name of (await readdir(folder).catch(unlessMissing)) ?? [])
        if (REMOVED.test(name)) await rm(join(folder, name), { recursive: true, force: true });
      await heads.sweep(() => listNames(folder));
    },
    ...makeRemoval(folder, heads, forget),
  } satisfies Partial<DurableStore>;
}

/** Removes the folder of a run, with what belongs to it elsewhere. */
function makeRemoval(folder: string, heads: Heads, forget: (id: string) => Promise<void>) {
  const removeIf = async (id: string, mayGo: (place: string) => Promise<boolean>): Promise<boolean> => {
    const place = join(folder, id);
    if (!RUN_ID.test(id) || !existsSync(place) || !(await mayGo(place))) return false;
    // In this order: a head without its run says nothing, and one of a run that was begun again would say what is not so.
    await heads.remove(id, await lastToken(place));
    await forget(id);
    // At once: a process that begins it again meanwhile makes a folder of its own. Where a file of it is open, Windows moves no folder.
    const gone = join(folder, `${id}.${randomBytes(6).toString("hex")}`);
    const isMoved = await rename(place, gone).then(
      () => true,
      () => false,
    );
    if (isMoved && !(await mayGo(gone))) return rename(gone, place).then(() => false);
    await rm(isMoved ? gone : place, { recursive: true, force: true });
    return true;
  };
  return {
    remove: async (id: string) => void (await removeIf(id, async () => true)),
    removeOver: (id: string) => removeIf(id, isOver),
  };
}

/** Whether the last process that had a run has left it as `over`. */
async function isOver(place: string): Promise<boolean> {
  const released = releasedOf(await lastToken(place));
  return ["over", released].every((name) => existsSync(join(place, name)));
}

/** When runs have begun, the oldest first. A folder without a run is none: a process was killed before it had begun it. */
async function findBegun(folder: string, ids: readonly string[]): Promise<{ id: string; time: number }[]> {
  const found = await inTurns(ids, (id) => lstat(join(folder, id, RUN)).catch(unlessMissing));
  return ids
    .flatMap((id, at) => {
      const time = found[at]?.mtimeMs;
      return time === undefined ? [] : [{ id, time }];
    })
    .toSorted((left, right) => left.time - right.time);
}

async function listRuns(folder: string, heads: Heads): Promise<ListedRun[]> {
  const files = await heads.find();
  const names = await listNames(folder);
  const found = await heads.read(names.flatMap((id) => files.get(id) ?? []));
  const headless = names.filter((id) => !found.has(id));
  const resting = [...found].map(([id, head]) => ({ id, head, time: head.begunAt }));
  return [...resting, ...(await findBegun(folder, headless))].toSorted((left, right) => left.time - right.time);
}

interface OwnFile<Run extends KeptRun> {
  folder: string;
  run: Run;
  token: number;
  owner: Owner;
  /** Of the file of steps of this process. */
  handle: FileHandle;
  lines: Lines;
  heads: Heads;
}

/** A run that was claimed: its steps so far, and what adds to them. */
async function makeOwned<Run extends KeptRun>({
  folder,
  run,
  token,
  owner,
  handle,
  heads,
  lines: { print, parse },
}: OwnFile<Run>): Promise<OwnedRun<Run>> {
  const { id } = run;
  // Between the look at the files and the claim the process before may have added to its own.
  const { steps, counts } = await readSteps(folder, id, token - 1, parse);
  // What counts is not lost later: not all of it had waited for the disk.
  await flushFiles(Object.keys(counts).flatMap((name) => (counts[name] === 0 ? [] : join(folder, id, name))));
  await handle.appendFile(print(id, token, 1, { owner: owner.id, counts }));
  await handle.datasync();
  const next = join(folder, id, stepsFile(token + 1));
  const assertOwned = (): void => {
    if (!owner.isAlive() || existsSync(next)) throw new RunTaken();
  };
  let lines = 1;
  let { size } = await handle.stat();
  /** Appends whole lines or none: a full disk must not leave half of one, to which the next would be added. */
  const write = async (values: readonly object[]): Promise<void> => {
    const text = Buffer.from(values.map((value, at) => print(id, token, lines + 1 + at, value)).join(""));
    try {
      const written = text.length > MOST_AT_ONCE ? 0 : writeSync(handle.fd, text);
      if (written < text.length) await handle.appendFile(text.subarray(written));
      lines += values.length;
      size += text.length;
    } catch (error) {
      await handle.truncate(size);
      throw error;
    }
  };
  /** While others cannot have the run; without a head they read its steps. */
  const keepHead = async (head: RunHead): Promise<void> => {
    assertOwned();
    await heads.keep(id, token, head);
  };
  return makeOwnedRun({
    ...{ run, steps, assertOwned },
    isCancelled: () => existsSync(join(folder, id, CANCELLED)),
    async keep(added, isFlushed) {
      await write(added);
      if (isFlushed) await handle.datasync();
      assertOwned();
    },
    async letGo(rest, head) {
      // Its time of change is final then.
      await handle.close();
      if (rest !== undefined) await writeFile(join(folder, id, rest), "", { mode: OWN_ONLY });
      // On a full disk the run is this process's until that ends: nothing of it is lost.
      if (head !== undefined) await keepHead(head).catch(() => undefined);
      await writeFile(join(folder, id, releasedOf(token)), "", { mode: OWN_ONLY }).catch(() => undefined);
    },
  });
}

/** So many bytes are copied to the cache of the system in less time than another thread takes to be asked. */
const MOST_AT_ONCE = 64 * 1024;

/** By the name of a file of steps: how many of its bytes count. */
type Counts = { [name: string]: number };

/** Empty files in the folder of a run. */
const CANCELLED = "cancelled";
const RESTS: readonly Rest[] = ["blocked", "over"];

async function lastToken(folder: string): Promise<number> {
  const tokens = (await readdir(folder)).map((name) => Number(/^steps\.(\d{1,5})\.jsonl$/.exec(name)?.[1] ?? 0));
  return Math.max(0, ...tokens);
}

/** As `lastToken`; undefined where there is no such run. */
async function findToken(folder: string, id: string): Promise<number | undefined> {
  const isThere = RUN_ID.test(id) && existsSync(join(folder, id));
  return isThere ? lastToken(join(folder, id)) : undefined;
}

/** The folder of a run whose removal has not come to its end. */
const REMOVED = /^[\w-]{22}\.[0-9a-f]{12}$/;

/** A folder without a run is left, where no process has begun one in it for so long. */
const LEFT_MS = 3_600_000;

/** In the folder of a run: the process of that claim has given it back. It is a file, so that the steps need not be read to know that. */
const releasedOf = (token: number): string => `released.${token}`;

/** The process that has a run, or has had it until it was killed: the first line of the file of the last claim says so. */
async function lastOwner(
  folder: string,
  id: string,
  parse: Lines["parse"],
  known?: number,
): Promise<string | undefined> {
  const token = known ?? (await lastToken(join(folder, id)));
  if (existsSync(join(folder, id, releasedOf(token)))) return undefined;
  const line = await readFirstLine(folder, id, stepsFile(token));
  const owner = line && parse(id, token, line)[0]?.["owner"];
  return owner === undefined ? undefined : String(owner);
}

/** The steps up to the file of that number, as far as they count. A line that was cut off is the last one of a process that was killed. */
async function readSteps(folder: string, id: string, token: number, parse: Lines["parse"]) {
  const numbers = Array.from({ length: token }, (_, at) => at + 1);
  const texts = await Promise.all(
    numbers.map(async (number) => {
      const bytes = (await readRunFile(folder, id, stepsFile(number))) ?? Buffer.alloc(0);
      return bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
    }),
  );
  const counts = texts.reduce<Counts>((latest, bytes, at) => {
    const [header] = parse(id, at + 1, bytes.subarray(0, bytes.indexOf("\n") + 1));
    return header !== undefined && isJsonObject(header["counts"]) ? (header["counts"] as Counts) : latest;
  }, {});
  const kept = texts.map((bytes, at) => {
    const count = counts[stepsFile(at + 1)] ?? bytes.length;
    if (count > bytes.length) throw durableRunDamaged(id, `the end of ${stepsFile(at + 1)} is missing`);
    return bytes.subarray(0, count);
  });
  const steps: Step[] = [];
  for (const line of kept.flatMap((bytes, at) => parse(id, at + 1, bytes)))
    if (!("owner" in line)) steps.push(line as unknown as Step);
  return { steps, counts: Object.fromEntries(kept.map((bytes, at) => [stepsFile(at + 1), bytes.length])) };
}

/** Writes a whole file, or none; undefined where there is one. */
async function writeFlushed(path: string, text: string): Promise<true | undefined> {
  const part = `${path}.${randomBytes(6).toString("hex")}`;
  const handle = await open(part, "wx", OWN_ONLY);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    return await link(part, path).then(() => true as const, unlessExists);
  } finally {
    // What is left of it is no run.
    await rm(part, { force: true }).catch(() => undefined);
  }
}
