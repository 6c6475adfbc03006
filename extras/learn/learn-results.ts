import type { Config } from "../../schemas/config/config.ts";
import { diffObserved } from "./diff-observed.ts";
import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import { lockfileMissing } from "../../schemas/errors.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { serverIdOf } from "../../schemas/lock/operations.ts";
import {
  forgetInto,
  type IsChosen,
  joinObservations,
  learnInto,
  type Observations,
  onlyChosen,
} from "../../schemas/observed/learn-into.ts";
import { outputFolder } from "../../engine/project/project-places.ts";
import { generatePackages } from "../../engine/project/emit/generate-packages.ts";
import { isGenerated } from "../../engine/project/emit/output-folder.ts";
import { learnFromRecording } from "./learn-from-recording.ts";
import { readObservations } from "./observed-store.ts";
import { lockfilePath, readLockfile, writeLockfile } from "../../engine/project/lockfile-file.ts";
import { findSelection } from "../../engine/select-tools.ts";

/** What to learn, and from what. */
export interface LearnOptions {
  /** `SERVER` or `SERVER/TOOL`; all tools unless given. */
  targets?: readonly string[] | undefined;
  /** Recordings. */
  from?: readonly string[] | undefined;
  /** What was observed otherwise. Without this and `from`, what runs left behind while `learn.observe` is set. */
  observed?: Observations | undefined;
  /** Removes what was learned, and what runs left behind. */
  forget?: boolean | undefined;
  /** Writes nothing. */
  check?: boolean | undefined;
}

/** What learning came to. */
export interface LearnResult {
  lockfile: Lockfile;
  /** Of class `observed`; servers of which nothing new is known are left out. */
  changes: readonly ServerChange[];
  /** With `forget`: the tools, SERVER/TOOL, of which runs had left something behind that was not learned yet. */
  pending: readonly string[];
}

/**
 * Writes what results looked like into the lockfile, and emits the types again where packages are generated.
 * @throws CodemodeError if there is no lockfile (`LOCKFILE_MISSING`), a name is unknown (`SERVER_UNKNOWN`, `TOOL_UNKNOWN`), or a file is
 * no recording of this project (`RECORDING_INVALID`, `RECORDING_FOREIGN`)
 */
export async function learnResults(config: Config, options: LearnOptions = {}): Promise<LearnResult> {
  const { targets = [], from, observed, forget = false, check = false } = options;
  const before = await readLockfile(config);
  if (before === undefined) throw lockfileMissing(lockfilePath(config));
  const isChosen = chooseTools(before, targets);
  const isGiven = from !== undefined || observed !== undefined;
  const left = isGiven ? undefined : await readObservations(config.folder, before);
  const recorded = await readRecordings(from ?? [], before);
  const read = [left?.observations, observed].reduce<Observations>(
    (all, more) => joinObservations(all, more ?? new Map()),
    recorded,
  );
  const lockfile = forget ? forgetInto(before, isChosen) : learnInto(before, onlyChosen(read, isChosen));
  const changes = diffObserved(before, lockfile);
  const pending = forget ? toolsOf(onlyChosen(read, isChosen)) : [];
  if (check) return { lockfile, changes, pending };
  await writeLockfile(config, lockfile);
  // What was not chosen stays for the next time.
  await left?.drop(isChosen);
  const names = changes.map(({ serverId }) => serverId);
  if (names.length > 0 && (await isGenerated(outputFolder(config))))
    await generatePackages({ config, lockfile, names });
  return { lockfile, changes, pending };
}

function toolsOf(observations: Observations): string[] {
  return [...observations].flatMap(([id, tools]) => [...tools.keys()].map((name) => `${id}/${name}`)).toSorted();
}

function chooseTools(lockfile: Lockfile, targets: readonly string[]): IsChosen {
  if (targets.length === 0) return () => true;
  const chosen = targets.flatMap((target) => findSelection(lockfile, target));
  return (serverId, toolName) =>
    chosen.some(
      ({ server, tools }) => serverIdOf(server.id) === serverId && tools.some(({ name }) => name === toolName),
    );
}

async function readRecordings(files: readonly string[], lockfile: Lockfile): Promise<Observations> {
  const read = await Promise.all(files.map((file) => learnFromRecording(file, lockfile)));
  return read.reduce(joinObservations, new Map());
}
