import type { Config } from "../../schemas/config/config.ts";
import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import { lockfileMissing } from "../../schemas/errors.ts";
import type { Lockfile, LockedTool } from "../../schemas/lock/lockfile.ts";
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
import { generatePackages, isGenerated } from "../../engine/project/emit/generate-packages.ts";
import { learnFromRecording } from "./learn-from-recording.ts";
import { readObservations } from "./observed-store.ts";
import { lockfilePath, readLockfile, writeLockfile } from "../../engine/project/lockfile-file.ts";
import { findSelection } from "../../engine/select-tools.ts";
import { byCodeUnits } from "../../schemas/json/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import { countResults, observedOf } from "../../schemas/observed/observed-results.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { type Change, makeChange } from "../../schemas/diff/change.ts";
import { pointerStep } from "../../schemas/json/pointer-step.ts";
import { compareSchemas } from "../../schemas/diff/compare-schemas.ts";

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

/**
 * Lists what was learned of results from `before` to `after`, sorted by server id. Changes are of class `observed`: no integrity covers
 * them, and they refuse no run.
 */
function diffObserved(before: Lockfile, after: Lockfile): ServerChange[] {
  const ids = [...after.servers.keys()].filter((id) => before.servers.has(id)).toSorted(byCodeUnits);
  return ids.flatMap((serverId) => {
    const old = new Map(before.servers.get(serverId)?.tools.map((tool) => [tool.name, tool]));
    const pairs = (after.servers.get(serverId)?.tools ?? []).map((tool) => [old.get(tool.name), tool] as const);
    const changed = pairs.filter(([one, other]) => JSON.stringify(one?.observed) !== JSON.stringify(other.observed));
    if (changed.length === 0) return [];
    return [
      {
        ...{ serverId, kind: "changed", severity: "observed", toolsAdded: [], toolsRemoved: [] },
        toolsChanged: changed.map(([, { name }]) => name),
        changes: changed.flatMap(([one, other]) => compareObserved(one, other)),
      } satisfies ServerChange,
    ];
  });
}

function compareObserved(before: LockedTool | undefined, after: LockedTool): Change[] {
  const pointer = `/tools${pointerStep(after.name)}/observed`;
  const [old, now] = [before?.observed, after.observed];
  if (old === undefined || now === undefined) {
    const verb = old === undefined ? `observed in ${results(after)}` : "forgotten";
    const change = makeChange(
      "observed",
      pointer,
      `shape of results ${verb}`,
      withoutSources(old),
      withoutSources(now),
    );
    return [change, ...emptyLists(now, pointer)];
  }
  const shapes = (["json", "structured"] as const).flatMap((key) => {
    const [one, other] = [ownValue(old, key), ownValue(now, key)];
    if (one === undefined && other === undefined) return [];
    return compareSchemas(one, other, `${pointer}/${key}`, "output").map(
      ({ summary, pointer: at, before: was, after: is }) => makeChange("observed", at, summary, was, is),
    );
  });
  const others = (["blocks", "text"] as const)
    .filter((key) => JSON.stringify(ownValue(old, key)) !== JSON.stringify(ownValue(now, key)))
    .map((key) =>
      makeChange("observed", `${pointer}/${key}`, OTHER_FORMS[key], ownValue(old, key), ownValue(now, key)),
    );
  const found = [...shapes, ...others];
  const same = makeChange("observed", pointer, `same shape in ${results(after)}`, undefined, undefined);
  return [...(found.length > 0 ? found : [same]), ...emptyLists(now, pointer)];
}

/** Places whose type says nothing of the items, because every list there was empty. */
function emptyLists(node: JsonValue | undefined, pointer: string): Change[] {
  if (!isJsonObject(node)) return [];
  const inner = Object.entries(node).flatMap(([key, child]) => emptyLists(child, `${pointer}${pointerStep(key)}`));
  const isEmpty = ownValue(node, "items") === false;
  const change = makeChange("observed", pointer, "only empty lists were seen here", undefined, undefined);
  return isEmpty ? [change, ...inner] : inner;
}

const OTHER_FORMS = { blocks: "content blocks observed", text: "plain text observed" };

function results(tool: LockedTool): string {
  const observed = observedOf(tool);
  return countOf(observed === undefined ? 0 : countResults(observed), "result");
}

/** What a reader reviews. */
function withoutSources(observed: JsonObject | undefined): JsonObject | undefined {
  if (observed === undefined || !isJsonObject(observed)) return undefined;
  const { sources: _, ...shape } = observed;
  return shape;
}
