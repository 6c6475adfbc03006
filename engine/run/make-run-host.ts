import type { Manifest } from "../../schemas/run/bundle.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Access } from "../../schemas/access/access.ts";
import type { ConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { makeVisibleLockfiles } from "../../runtime/host/visible-lockfiles.ts";
import { makePendingReview } from "../../runtime/host/pending-review.ts";
import type { LiveLock } from "../../runtime/host/lock/live-lock.ts";
import { guardConnections } from "../../runtime/host/lock/guard-connections.ts";
import { type Refusal, refusalAtStart, findNewDrift } from "../../runtime/host/lock/drift-verdict.ts";
import { makeOwnInputCheck } from "../../runtime/host/checks/own-input.ts";
import { makeOutputCheck } from "../../runtime/host/checks/output-check.ts";
import { makeInputCheck } from "../../runtime/host/checks/input-check.ts";
import { makeStartGate } from "../../runtime/host/admit-start.ts";
import { makeScriptPreparation } from "./prepare-script.ts";
import type { HostOptions } from "./host-options.ts";
import type { RunHost } from "./run-host.ts";
import type { InTurn } from "../process/fair-turns.ts";
import { makeValueMask } from "../../schemas/secrets/mask-values.ts";
import { makeCallViews } from "../../runtime/host/checks/call-view.ts";

/** Makes what all runs of a host share. */
export function makeRunHost(options: HostOptions, connections: ConnectionSet, lock: LiveLock, inTurn: InTurn): RunHost {
  const { config, pool, drift, refuseBy, audience = "person" } = options;
  const visible = makeVisibleLockfiles();
  // The operator learns that a tool is denied; for a client it does not exist.
  const importable = (access: Access): Lockfile =>
    access.client === undefined && access.hidden === undefined ? lock.current() : visible(lock.current(), access);
  const refusalOf = (manifest: Manifest): Refusal => refusalAtStart(drift, refuseBy, manifest);
  const admitStart = makeStartGate(connections, options.onUnstartable ?? "report");
  const preparation = makeScriptPreparation(options, { lock, importable, refusalOf, admitStart }, connections, inTurn);
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
