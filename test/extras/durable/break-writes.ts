import fs from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

/** What happens at a write: the process is killed before it or in it, or the disk does not do it. */
export type Fault = "killed before" | "killed within" | "full from then on" | "broken once";

export interface BrokenWrites {
  /** Resolves when the process is killed. From then on nothing that it does comes to an end. */
  killed: Promise<void>;
  /** How many writes there were. */
  count(): number;
  heal(): void;
}

interface Write {
  whole(): unknown;
  /** As far as it comes when it is interrupted. */
  half?: (() => unknown) | undefined;
  /** Whether it needs room on the disk. */
  grows: boolean;
}

const NEVER = new Promise<never>(() => undefined);

/** Lets the write of that number fail, of all that this process does to files: the first is number 1. */
export function breakWrite(number: number, fault: Fault): BrokenWrites {
  const whole = { ...fs.promises, writeSync: fs.writeSync };
  let count = 0;
  let isDead = false;
  let kill: () => void = () => undefined;
  const killed = new Promise<void>((resolve) => (kill = resolve));
  const die = (): void => {
    isDead = true;
    kill();
  };
  /** Gives what is done of a write; `fails` is thrown after that. */
  const plan = ({ whole: all, half, grows }: Write): { steps: (() => unknown)[]; fails?: Error } => {
    if (isDead) return { steps: [], fails: new Killed() };
    count += 1;
    if (fault === "full from then on")
      return count >= number && grows ? { steps: half ? [half] : [], fails: full() } : { steps: [all] };
    if (count !== number) return { steps: [all] };
    if (fault === "broken once") return { steps: half ? [half] : [], fails: broken() };
    return { steps: [...(fault === "killed within" && half ? [half] : []), die], fails: new Killed() };
  };
  const perform = async (write: Write): Promise<unknown> => {
    const { steps, fails } = plan(write);
    let result: unknown;
    for (const step of steps) result = await step();
    if (fails instanceof Killed) return NEVER;
    if (fails !== undefined) throw fails;
    return result;
  };
  const wrapHandle = (handle: FileHandle): FileHandle => {
    const { appendFile, writeFile, write, datasync, sync, truncate } = handle;
    const halfOf = (data: unknown) => () =>
      appendFile.call(handle, Buffer.from(data as string).subarray(0, Buffer.byteLength(data as string) >> 1));
    return Object.assign(handle, {
      appendFile: (data: string | Buffer) =>
        perform({ whole: () => appendFile.call(handle, data), half: halfOf(data), grows: true }),
      writeFile: (data: string) =>
        perform({ whole: () => writeFile.call(handle, data), half: halfOf(data), grows: true }),
      // A sign of life is of no use to a process that is dead, and no other write.
      write: (...args: Parameters<FileHandle["write"]>) => (isDead ? NEVER : Reflect.apply(write, handle, args)),
      datasync: () => perform({ whole: () => datasync.call(handle), grows: false }),
      sync: () => perform({ whole: () => sync.call(handle), grows: false }),
      truncate: (length: number) => perform({ whole: () => truncate.call(handle, length), grows: false }),
    }) as FileHandle;
  };
  const { open, writeFile, mkdir, link, rename, rm } = whole;
  Object.assign(fs.promises, {
    open: async (...args: Parameters<typeof open>) => {
      if (args[1] === "r" || args[1] === undefined) return open(...args);
      return wrapHandle((await perform({ whole: () => open(...args), grows: true })) as FileHandle);
    },
    writeFile: (path: string, data: string, options: object) =>
      perform({
        whole: () => writeFile(path, data, options),
        half: () => writeFile(path, data.slice(0, data.length / 2), options),
        grows: true,
      }),
    mkdir: (...args: Parameters<typeof mkdir>) => perform({ whole: () => mkdir(...args), grows: true }),
    link: (...args: Parameters<typeof link>) => perform({ whole: () => link(...args), grows: true }),
    rename: (...args: Parameters<typeof rename>) => perform({ whole: () => rename(...args), grows: false }),
    rm: (...args: Parameters<typeof rm>) => perform({ whole: () => rm(...args), grows: false }),
  });
  fs.writeSync = ((fd: number, data: Buffer): number => {
    const write = (bytes: Buffer): number => whole.writeSync(fd, bytes);
    const half = data.subarray(0, data.length >> 1);
    const { steps, fails } = plan({ whole: () => write(data), half: () => write(half), grows: true });
    let written: unknown;
    for (const step of steps) written = step();
    if (fails !== undefined) throw fails;
    return Number(written);
  }) as typeof fs.writeSync;
  syncBuiltinESMExports();
  return {
    killed,
    count: () => count,
    heal() {
      const { writeSync, ...promises } = whole;
      Object.assign(fs.promises, promises);
      fs.writeSync = writeSync;
      syncBuiltinESMExports();
    },
  };
}

class Killed extends Error {}

const full = (): Error => Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
const broken = (): Error => Object.assign(new Error("input/output error"), { code: "EIO" });
