import { unwrapToolResult } from "@codemode/runtime/unwrap";
import { ownAccess } from "../../schemas/access/access.ts";
import { readClaims } from "../../schemas/access/policy.ts";
import type { Config } from "../../schemas/config/config.ts";
import { diffObserved } from "./diff-observed.ts";
import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import { lockfileMissing } from "../../schemas/errors.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { cleanInputSchema } from "../../schemas/json-schema/clean-input-schema.ts";
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
import { shapeOfResult } from "../../schemas/observed/result-shape.ts";
import { acceptsNoArgument } from "../../templates/plan.ts";
import { openHost } from "../../engine/open-host.ts";
import { outputFolder } from "../../engine/project/bundle-places.ts";
import { generatePackages } from "../../engine/project/emit/generate-packages.ts";
import { isGenerated } from "../../engine/project/emit/output-folder.ts";
import { addResult, learnFromRecording } from "./learn-from-recording.ts";
import { newSourceId, readObservations } from "./observed-store.ts";
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

/** A call that is made for the shape of its result alone. */
export interface ProbeCall {
  serverId: string;
  toolName: string;
  input: JsonValue;
}

/** What calls came to. */
export interface ProbeOutcome {
  observations: Observations;
  /** Calls that gave no result, each with its reason. */
  failures: readonly { call: ProbeCall; reason: string }[];
}

/**
 * The calls that can be made for the results of tools: of those that claim to be read-only and have no output schema, without arguments
 * unless `input` is given.
 * @param targets `SERVER` or `SERVER/TOOL`; all tools where empty
 * @throws CodemodeError as `learnResults`
 */
export async function planProbeCalls(
  config: Config,
  targets: readonly string[],
  input?: JsonValue,
): Promise<ProbeCall[]> {
  const lockfile = await readLockfile(config);
  if (lockfile === undefined) throw lockfileMissing(lockfilePath(config));
  const words = targets.length === 0 ? [undefined] : targets;
  return words
    .flatMap((target) => findSelection(lockfile, target))
    .flatMap(({ server, tools }) =>
      tools
        .filter((tool) => readClaims(tool).readOnly && tool.outputSchema === undefined)
        .filter((tool) => input !== undefined || acceptsNoArgument(cleanInputSchema(tool.inputSchema)))
        .map(({ name }) => ({ serverId: server.id, toolName: name, input: input ?? {} })),
    );
}

/** Makes the calls, each with every check of a script's call. The approval is had: it was given to these calls. */
export async function observeCalls(
  config: Config,
  calls: readonly ProbeCall[],
  { note, signal }: { note: (line: string) => void; signal: AbortSignal },
): Promise<ProbeOutcome> {
  const opened = await openHost({
    ...{ config, origin: "cli", purpose: { kind: "call" }, onUnstartable: "throw", reader: "person", note, signal },
  });
  try {
    const { host } = await opened.ready;
    const source = newSourceId();
    let observations: Observations = new Map();
    const failures: { call: ProbeCall; reason: string }[] = [];
    for (const call of calls) {
      const access = ownAccess(config.policy);
      const outcome = await host.callTool({
        ...call,
        access,
        approve: async () => "granted",
        consentBy: "flag",
        signal,
      });
      const isResult = outcome.ok && outcome.result["isError"] !== true;
      const shape = isResult ? shapeOfResult(unwrapToolResult(outcome.result) as JsonValue, call.input) : undefined;
      if (shape === undefined) {
        failures.push({ call, reason: outcome.ok ? "the tool reports an error" : outcome.error.message });
        continue;
      }
      const seen = new Map([[call.toolName, addResult(undefined, source, shape)]]);
      observations = joinObservations(observations, new Map([[call.serverId, seen]]));
    }
    return { observations, failures };
  } finally {
    await opened.close();
  }
}
