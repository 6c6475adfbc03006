import { clock } from "../../engine/clock.ts";
import type { DurableRequest } from "../../engine/run/durable-extra.ts";
import { MACHINE } from "../../engine/files.ts";
import { makeRunId } from "../../engine/run-id.ts";
import { programOf } from "../../engine/run/program-of.ts";
import { takeRandomWords } from "../../runtime/sandbox/pool/random-words.ts";
import type { Integrity } from "../../schemas/lock/integrity.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { memoizeByLockfile } from "../../schemas/lock/memoize-by-lockfile.ts";
import type { RunLimits } from "../../schemas/config/config-file.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import { lockedServers } from "../../schemas/run/locked-servers.ts";
import { formatPinnedBundle, lockfileIntegrity } from "../../schemas/run/pinned-bundle.ts";
import { VERSION } from "../../schemas/version.ts";
import { idOfKey, workOf } from "./run-identity.ts";
import { toolsThen } from "./changed-tools.ts";
import { DURABLE_VERSION, type DurableRun, type ServerTargets } from "./kept-runs.ts";

/** What a script is run with that was found to be allowed, or that a person is asked about. */
export interface ReviewedRun {
  lockfile: Lockfile;
  limits: RunLimits;
  key: string;
}

interface BegunWith extends ReviewedRun {
  approved: string | undefined;
  targets: ServerTargets;
  project: string | undefined;
}

export function newIdOf({ key, access }: DurableRequest, scope: string | undefined): string {
  return key === undefined ? makeRunId() : idOfKey(key, access.client, scope);
}

interface ProgramText {
  program: Integrity;
  pinned: string;
}

const madeBy = new Map([["codemode", VERSION]]);

/** To print and hash a program takes longer than the rest of the beginning of a run: it is done once for the runs of a bundle. */
const programsUnder = memoizeByLockfile((lockfile) => {
  const integrity = lockfileIntegrity(lockfile);
  const known = new WeakMap<Bundle, ProgramText & { name: string }>();
  return (bundle: Bundle, name: string): ProgramText => {
    const found = known.get(bundle);
    if (found?.name === name) return found;
    const pinned = formatPinnedBundle({ name, bundle, lockfileIntegrity: integrity, madeBy });
    const program = { name, program: programOf(bundle), pinned };
    known.set(bundle, program);
    return program;
  };
});

export function makeRun(request: DurableRequest & { id: string }, bundle: Bundle, begun: BegunWith): DurableRun {
  const { id, script, access, input = null } = request;
  const { lockfile, limits, key, approved, targets, project } = begun;
  const used = new Set(bundle.manifest.tools.map(({ serverId }) => serverId));
  const { program, pinned } = programsUnder(lockfile)(bundle, script.name);
  return {
    durableVersion: DURABLE_VERSION,
    id,
    key,
    work: workOf(request),
    ...{ program, pinned },
    ...{ client: access.client, project },
    script: script.name,
    ...{ input, limits, approved },
    servers: Object.fromEntries(Object.entries(targets).filter(([id]) => used.has(id))),
    tools: toolsThen(bundle.manifest, lockfile),
    locked: lockedServers(bundle.manifest, lockfile),
    start: { timeMs: clock.wall(), seed: takeRandomWords(4) },
    begunOn: { machine: MACHINE, steadyMs: clock.steady() },
    madeBy: { codemode: VERSION, node: process.version },
    begunAt: clock.wall(),
  };
}
