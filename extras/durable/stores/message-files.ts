import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { clock } from "../../../engine/clock.ts";
import { stateFolder } from "@codemode/runtime/state-folder";
import {
  makePrivateFolder,
  readStateFile,
  unlessMissing,
  unlessNotReadable,
  writePrivately,
} from "../../../engine/files.ts";
import type { TextSealer } from "../../../engine/store-plan.ts";
import { fileTooLarge } from "../../../schemas/errors.ts";
import { type LeftMessage, MOST_MESSAGES, type RunMessage } from "../kept-runs.ts";
import { parseMessage } from "../run-message.ts";

// Messages of all runs of a project are in one folder, a file each: a process that has many runs looks at one list of names.

/** The messages of runs. One that was left while its run was removed goes with the next that is left. */
export function makeMessageFiles(folder: string, texts: TextSealer, isRun: (id: string) => boolean) {
  const place = join(folder, "messages");
  const names = async (): Promise<string[]> => {
    const found = (await readdir(place).catch(unlessMissing)) ?? [];
    return found.filter((name) => NAME.test(name)).toSorted();
  };
  // A folder in the place of one too.
  const remove = (name: string): Promise<void> => rm(join(place, name), { force: true, recursive: true });
  const read = async (name: string): Promise<LeftMessage | undefined> => {
    const bytes = await readStateFile(join(place, name), MOST_BYTES).catch(unlessNotReadable);
    const message = parseMessage(bytes && texts.open(sealedPlace(name), bytes.toString()));
    // What cannot be read is of another key, or of a program that wants to be in the way.
    if (message === undefined) await remove(name);
    return message && { run: runOf(name), name, message };
  };
  return {
    isSealed: texts.isSealed,
    async leave(id: string, message: RunMessage): Promise<boolean> {
      if (!isRun(id)) return false;
      await makePrivateFolder(place, stateFolder());
      const there = await names();
      for (const name of there) if (!isRun(runOf(name))) await remove(name);
      if (there.filter((name) => runOf(name) === id).length >= MOST_MESSAGES) return false;
      const time = clock.wall().toString(36).padStart(TIME_LENGTH, "0");
      const name = `${id}.${time}${randomBytes(RANDOM_BYTES).toString("base64url")}`;
      const content = texts.seal(sealedPlace(name), JSON.stringify(message));
      if (Buffer.byteLength(content) > MOST_BYTES) throw fileTooLarge("The answer", MOST_BYTES);
      await writePrivately(join(place, name), content);
      return true;
    },
    async messages(ids: readonly string[]): Promise<LeftMessage[]> {
      const wanted = new Set(ids);
      const found: LeftMessage[] = [];
      for (const name of (await names()).filter((each) => wanted.has(runOf(each)) && isRun(runOf(each)))) {
        const left = await read(name);
        if (left !== undefined) found.push(left);
      }
      return found;
    },
    /** The runs for which there is one. */
    async runsWithMessages(): Promise<Set<string>> {
      return new Set((await names()).map(runOf));
    },
    /** Of a run that is removed: the next one of its key has its id, and its questions the same numbers. */
    async forget(id: string): Promise<void> {
      for (const name of await names()) if (runOf(name) === id) await remove(name);
    },
    async discard(messages: readonly LeftMessage[]): Promise<void> {
      for (const { name } of messages) await remove(name);
    },
  };
}

/** Of one message: an answer in the place of a call may be long. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Drafts of messages that are being written have other names. */
const NAME = /^[\w-]{22}\.[\w-]{21}$/;

/** Of a time in milliseconds, in the digits of 36: names are sorted by it for as long as there are dates. */
const TIME_LENGTH = 9;
const RANDOM_BYTES = 9;

const runOf = (name: string): string => name.split(".", 1)[0] ?? "";

/** A message can be opened under no other name: copied, it is none. */
const sealedPlace = (name: string): string => `message/${name}`;
