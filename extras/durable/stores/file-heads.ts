import { existsSync, lstatSync } from "node:fs";
import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { readStateFileSync, unlessMissing, unlessNotReadable } from "../../../engine/files.ts";
import { RUN_ID } from "../../../engine/run-id.ts";
import type { TextSealer } from "../../../engine/store-plan.ts";
import { RESTING_STATES, type RunHead } from "../kept-runs.ts";
import { parseHead } from "../steps.ts";
import { stepsFile, OWN_ONLY, RUN } from "./file-lines.ts";

// A head counts as long as there is no later claim of its run: it is written by a process that still has the run, after all that
// it has added, and the file of steps of the next claim ends it. So it says nothing that the steps do not. It names the sizes and times
// of their files: where they have changed since, a list reads the steps, and finds that they are damaged.

export const HEADS = "heads";

export type Heads = ReturnType<typeof openHeads>;

export interface HeadFile {
  id: string;
  name: string;
  /** Of the claim whose process has written it. */
  token: number;
  state: string;
}

const HEAD_NAME = /^([\w-]{22})\.(\d+)\.([a-z]+)$/;

/** So many heads are read in one turn: a file that is read by a thread of its own takes five times as long. */
const MOST_IN_A_TURN = 256;

/** Keeps the heads of the runs of a folder, in one flat folder: to know what rests is to read its names. */
export function openHeads(folder: string, texts: TextSealer) {
  const pathOf = (name: string): string => join(folder, HEADS, name);
  const placeOf = (id: string, token: number): string => `head/${id}/${token}`;
  const isLast = ({ id, token }: HeadFile): boolean => !existsSync(join(folder, id, stepsFile(token + 1)));

  const open = ({ id, name, token, state }: HeadFile): { head: RunHead; files: string } | undefined => {
    const text = readIfThere(pathOf(name));
    const opened = text === undefined ? undefined : texts.open(placeOf(id, token), text);
    const [files = "", json = ""] = opened?.split("\n") ?? [];
    const head = parseHead(id, json);
    return head?.state === state ? { head, files } : undefined;
  };
  const readUnchanged = (file: HeadFile): RunHead | undefined => {
    const found = open(file);
    return found?.files === stampOf(join(folder, file.id), file.token) ? found?.head : undefined;
  };
  return {
    /** Writes a whole head, or none. */
    async keep(id: string, token: number, head: RunHead): Promise<void> {
      const sealed = texts.seal(placeOf(id, token), `${stampOf(join(folder, id), token)}\n${JSON.stringify(head)}`);
      const part = pathOf(`${id}.${token}.part`);
      try {
        await writeFile(part, sealed, { mode: OWN_ONLY });
        await rename(part, pathOf(`${id}.${token}.${head.state}`));
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    async remove(id: string, token: number): Promise<void> {
      for (const state of RESTING_STATES) await rm(pathOf(`${id}.${token}.${state}`), { force: true });
    },
    /** The newest file of each run. */
    async find(): Promise<Map<string, HeadFile>> {
      const found = new Map<string, HeadFile>();
      for (const name of (await readdir(join(folder, HEADS)).catch(unlessMissing)) ?? []) {
        const [, id = "", token = "", state = ""] = HEAD_NAME.exec(name) ?? [];
        if (id !== "" && Number(token) > (found.get(id)?.token ?? 0))
          found.set(id, { id, name, token: Number(token), state });
      }
      return found;
    },
    isLast,
    /** Also where the files of the run have changed: the process that takes it finds that. */
    readOne: (file: HeadFile): RunHead | undefined => open(file)?.head,
    /** The head of a run that the process of its last claim has written. */
    readLast(id: string, token: number): RunHead | undefined {
      for (const state of RESTING_STATES) {
        const head = readUnchanged({ id, name: `${id}.${token}.${state}`, token, state });
        if (head !== undefined) return head;
      }
      return undefined;
    },
    /** Reads the heads that count. */
    async read(files: readonly HeadFile[]): Promise<Map<string, RunHead>> {
      const heads = new Map<string, RunHead>();
      for (const [at, file] of files.entries()) {
        const head = isLast(file) ? readUnchanged(file) : undefined;
        if (head !== undefined) heads.set(file.id, head);
        if (at % MOST_IN_A_TURN === MOST_IN_A_TURN - 1) await turn();
      }
      return heads;
    },
    /** Removes the heads of removed runs. Heads are listed before runs, so that a run that begins meanwhile keeps its head. */
    async sweep(listRunIds: () => Promise<readonly string[]>): Promise<void> {
      const names = (await readdir(join(folder, HEADS)).catch(unlessMissing)) ?? [];
      const there = new Set(await listRunIds());
      for (const name of names) if (!there.has(name.split(".")[0] ?? "")) await rm(pathOf(name), { force: true });
    },
  };
}

/** Another text where the files of a run have changed. */
function stampOf(folder: string, token: number): string {
  const names = [RUN, ...Array.from({ length: token }, (_, at) => stepsFile(at + 1))];
  return names
    .map((name) => {
      const { size, mtimeMs } = lstatSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
      return `${size} ${mtimeMs}`;
    })
    .join(" ");
}

/** The folders of runs; one of them may hold none. */
export async function listNames(folder: string): Promise<string[]> {
  const found = (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? [];
  return found.flatMap((entry) => (entry.isDirectory() && RUN_ID.test(entry.name) ? [entry.name] : []));
}

/** A head only saves a look at the steps: one that cannot be read says nothing. */
function readIfThere(path: string): string | undefined {
  try {
    return readStateFileSync(path)?.toString();
  } catch (error) {
    return unlessNotReadable(error);
  }
}
