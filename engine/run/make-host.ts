import { findMistakenChange } from "../../runtime/host/checks/changed-input.ts";
import { makeValueMask } from "../../schemas/secrets/mask-values.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { CallView } from "../../schemas/run/describe-call.ts";
import { findNewDrift, type Refusal, refusalAtStart } from "../../runtime/host/lock/drift-verdict.ts";
import { toServerDiagnostic } from "../../runtime/host/connection-tool-error.ts";
import { runScript } from "./run-script.ts";
import { type ConnectionSet, makeConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { makeInputCheck } from "../../runtime/host/checks/input-check.ts";
import { makeOwnInputCheck } from "../../runtime/host/checks/own-input.ts";
import { guardConnections } from "../../runtime/host/lock/guard-connections.ts";
import type { LiveLock } from "../../runtime/host/lock/live-lock.ts";
import { makeOutputCheck } from "../../runtime/host/checks/output-check.ts";
import { type Access, ownAccess } from "../../schemas/access/access.ts";
import type { LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Manifest } from "../../schemas/run/bundle.ts";
import { findUnlocked } from "../project/config/find-server.ts";
import { bundlePlaces } from "../project/project-places.ts";
import { failedAnswer } from "../../schemas/run/answer.ts";
import { passGate } from "./audit-gate.ts";
import type { Host, HostOptions, RunHost } from "./host.ts";
import { reportCallRun, reportRun } from "./report-runs.ts";
import { openLock } from "./open-lock.ts";
import { makeStartGate } from "../../runtime/host/admit-start.ts";
import { callOne, refuseBy } from "./call-one.ts";
import { keepCallerContext } from "./keep-caller-context.ts";
import { makeScriptPreparation } from "./prepare-script.ts";
import { makePendingReview } from "../../runtime/host/pending-review.ts";
import { makeVisibleLockfiles } from "../../runtime/host/visible-lockfiles.ts";
import { type InTurn, makeFairTurns } from "../process/fair-turns.ts";

function objectAt(schema: JsonValue | undefined, key: string): JsonObject {
  const value = schema !== undefined && isJsonObject(schema) ? ownValue(schema, key) : undefined;
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** Makes a host. Servers are connected when a script that uses them is about to run. */
export function makeHost(options: HostOptions): Host {
  const { config, lockfile, audience = "person", onServerEvent: onEvent, events, gate } = options;
  const connections = options.connections ?? makeConnectionSet(config, { lockfile, onEvent });
  const inTurn = makeFairTurns();
  const lock = openLock(options, connections, inTurn);
  const runs = shareAmongRuns(options, { connections, lock, inTurn });
  const heard = { events, origin: options.origin ?? "library" };
  const perform: Host["run"] = (request) => runScript(runs, request);
  const run = (options.around ?? []).reduceRight<Host["run"]>(
    (inner, around) => (asked) => around(asked, inner),
    perform,
  );
  return {
    // A start is in the audit log before the gate looks at it.
    run: (asked) =>
      reportRun(heard, asked, (request) => passGate(gate, request, run, (refusal) => failedAnswer([refusal]))),
    bundle: async (request) => (await runs.preparation.bundle(request)).outcome,
    callTool: (asked) =>
      reportCallRun(heard, asked, (request) =>
        passGate(
          gate,
          request,
          (admitted) => callOne(runs, keepCallerContext(admitted)),
          (refusal) => refuseBy(refusal, [refusal]),
        ),
      ),
    lockfile: () => lock.current(),
    refresh: async () => void (await lock.reload()),
    visibleLockfile: (access) => runs.visible(lock.current(), access),
    connectSoon(serverIds, access) {
      const failures: ReturnType<typeof toServerDiagnostic>[] = [];
      for (const serverId of serverIds) {
        const note = (error: unknown) => failures.push(toServerDiagnostic(error, serverId, audience));
        void connections.get(serverId, access).catch(note);
      }
      return () => failures;
    },
    follow: (serverIds) => lock.follow(serverIds, ownAccess(config.policy)),
    close: () => connections.close(),
  };
}

/** Makes what all runs of a host share. */
function shareAmongRuns(
  options: HostOptions,
  { connections, lock, inTurn }: { connections: ConnectionSet; lock: LiveLock; inTurn: InTurn },
): RunHost {
  const { config, pool, bundler, drift, refuseBy, audience = "person" } = options;
  const visible = makeVisibleLockfiles();
  // The operator learns that a tool is denied; for a client it does not exist.
  const importable = (access: Access): Lockfile =>
    access.client === undefined && access.hidden === undefined ? lock.current() : visible(lock.current(), access);
  const refusalOf = (manifest: Manifest): Refusal => refusalAtStart(drift, refuseBy, manifest);
  const admitStart = makeStartGate(connections, options.onUnstartable ?? "report");
  /** Another process may have locked or generated meanwhile: what is accepted is read again, and bundled from a package of its own. */
  const recover = async (serverIds: readonly string[]): Promise<void> => {
    await lock.reload();
    await lock.emit(serverIds);
  };
  const preparation = makeScriptPreparation({
    places: bundlePlaces(config),
    ...{ lock, bundler, inTurn, importable, refusalOf, admitStart, audience },
    warnsOnly: drift === "warn",
    unlocked: ({ servers }) => findUnlocked(config, lock.current(), servers),
    isReviewed: drift === "review",
    locksNewServers: drift === "refresh" || drift === "review",
    isFrozenSession: options.isFrozenSession === true,
    recover: options.readChanged === undefined ? undefined : recover,
    reach: (serverId, access) => connections.get(serverId, access).catch(() => undefined), // then its calls say why
  });
  const pending = makePendingReview(lock, config.policy, audience);
  return {
    ...{ audience, mostLimits: config.limits, pool, lock, pending, preparation, admitStart, visible },
    ...{ importable, refusalOf, viewOf: makeCallViews(connections) },
    checkInput: makeInputCheck(),
    checkOutput: makeOutputCheck(),
    checkOwnInput: makeOwnInputCheck(config),
    guard: (run) => guardConnections({ lock, drift, audience, askAboutChange: pending.askInRun }, run),
    findNewDrift: (manifest, access) => findNewDrift(lock, drift, manifest, access),
    makeMask: () => makeValueMask(connections.credentials()).text,
  };
}

/** What an approval of a call knows of its tool. */
function makeCallViews(connections: Pick<ConnectionSet, "credentials">): (tool: LockedTool) => CallView {
  return ({ inputSchema }) => ({
    ...{ inputSchema, parameters: Object.keys(objectAt(inputSchema, "properties")) },
    split: makeValueMask(connections.credentials()).split,
    findMistake: (before, after) => findMistakenChange(inputSchema, before, after),
  });
}
