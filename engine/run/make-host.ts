import { findMistakenChange } from "../../runtime/host/checks/changed-input.ts";
import { makeValueMask } from "../../schemas/secrets/mask-values.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { CallView } from "../../schemas/run/describe-call.ts";
import { findNewDrift, refusalAtStart } from "../../runtime/host/lock/drift-verdict.ts";
import { toServerDiagnostic } from "../../runtime/host/connection-tool-error.ts";
import { makeScriptRunner } from "./run-script.ts";
import { type ConnectionSet, makeConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { makeInputCheck } from "../../runtime/host/checks/input-check.ts";
import { makeOwnInputCheck } from "../../runtime/host/checks/own-input.ts";
import { type GatedRun, makeCallGate } from "../../runtime/host/lock/make-call-gate.ts";
import { makeOutputCheck } from "../../runtime/host/checks/output-check.ts";
import { type Access, ownAccess } from "../../schemas/access/access.ts";
import type { LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Manifest } from "../../schemas/run/bundle.ts";
import { findUnlocked } from "../project/config/find-server.ts";
import { bundlePlaces } from "../project/project-places.ts";
import type { Host, HostOptions } from "./host.ts";
import { openLock } from "./open-lock.ts";
import { makeStartGate } from "../../runtime/host/admit-start.ts";
import { makeOneToolCall } from "../../runtime/host/call-one-tool.ts";
import { keepCallerContext } from "./keep-caller-context.ts";
import { makeScriptPreparation } from "./prepare-script.ts";
import { makePendingReview } from "../../runtime/host/pending-review.ts";
import { makeVisibleLockfiles } from "../../runtime/host/visible-lockfiles.ts";
import { makeFairTurns } from "../process/fair-turns.ts";

function objectAt(schema: JsonValue | undefined, key: string): JsonObject {
  const value = schema !== undefined && isJsonObject(schema) ? ownValue(schema, key) : undefined;
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** Makes a host. Servers are connected when a script that uses them is about to run. */
export function makeHost(options: HostOptions): Host {
  const { config, lockfile, pool, bundler, drift, refuseBy, audience = "person", onServerEvent: onEvent } = options;
  const connections = options.connections ?? makeConnectionSet(config, { lockfile, onEvent });
  const inTurn = makeFairTurns();
  const lock = openLock(options, connections, inTurn);
  const visible = makeVisibleLockfiles();
  // The operator learns that a tool is denied; for a client it does not exist.
  const importable = (access: Access): Lockfile =>
    access.client === undefined && access.hidden === undefined ? lock.current() : visible(lock.current(), access);
  const drifts = {
    refusalOf: (manifest: Manifest) => refusalAtStart(drift, refuseBy, manifest),
    findNewDrift: (manifest: Manifest, access: Access) => findNewDrift(lock, drift, manifest, access),
  };
  const gate = (run: GatedRun) => makeCallGate(lock, drift, run);
  const viewOf = makeCallViews(connections);
  const checks = {
    checkInput: makeInputCheck(),
    checkOutput: makeOutputCheck(),
    checkOwnInput: makeOwnInputCheck(config),
  };
  const admitStart = makeStartGate({ connections, onUnstartable: options.onUnstartable ?? "report" });
  /** Another process may have locked or generated meanwhile: what is accepted is read again, and bundled from a package of its own. */
  const recover = async (serverIds: readonly string[]): Promise<void> => {
    await lock.reload();
    await lock.emit(serverIds);
  };
  const preparation = makeScriptPreparation({
    places: bundlePlaces(config),
    lock,
    bundler,
    inTurn,
    importable,
    refusalOf: drifts.refusalOf,
    admitStart,
    warnsOnly: drift === "warn",
    unlocked: ({ servers }) => findUnlocked(config, lock.current(), servers),
    isReviewed: drift === "review",
    locksNewServers: drift === "refresh" || drift === "review",
    isFrozenSession: options.isFrozenSession === true,
    recover: options.readChanged === undefined ? undefined : recover,
    audience,
    reach: (serverId, access) => connections.get(serverId, access).catch(() => undefined), // then its calls say why
  });

  const pending = makePendingReview(lock, config.policy, audience);
  const runScript = makeScriptRunner({
    ...checks,
    ...{ pool, audience, gate, pending, viewOf, visible, preparation },
    makeMask: () => makeValueMask(connections.credentials()).text,
    findNewDrift: drifts.findNewDrift,
    mostLimits: config.limits,
    current: lock.current,
  });
  const callOneTool = makeOneToolCall({
    ...checks,
    ...drifts,
    ...{ gate, audience, lock, admitStart, pending, viewOf },
    callable: importable,
  });
  // The innermost: it binds the listeners of the other layers too.
  const layers = [...(options.layers ?? []), keepCallerContext].filter((layer) => layer !== undefined).toReversed();
  return {
    run: layers.reduce((run, layer) => layer.run?.(run) ?? run, runScript),
    bundle: async (request) => (await preparation.bundle(request)).outcome,
    callTool: layers.reduce((call, layer) => layer.callTool?.(call) ?? call, callOneTool),
    lockfile: () => lock.current(),
    refresh: async () => void (await lock.reload()),
    visibleLockfile: (access) => visible(lock.current(), access),
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

/** What an approval of a call knows of its tool. */
function makeCallViews(connections: Pick<ConnectionSet, "credentials">): (tool: LockedTool) => CallView {
  return ({ inputSchema }) => ({
    ...{ inputSchema, parameters: Object.keys(objectAt(inputSchema, "properties")) },
    split: makeValueMask(connections.credentials()).split,
    findMistake: (before, after) => findMistakenChange(inputSchema, before, after),
  });
}
