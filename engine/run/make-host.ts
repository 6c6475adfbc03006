import { toServerDiagnostic } from "../../runtime/host/connection-tool-error.ts";
import { runScript } from "./run-script.ts";
import { makeConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { failedAnswer } from "../../schemas/run/answer.ts";
import { passGate } from "./audit-gate.ts";
import type { Host } from "./host.ts";
import type { HostOptions } from "./host-options.ts";
import { reportCallRun, reportRun } from "./report-runs.ts";
import { openLock } from "./open-lock.ts";
import { callOne, refuseBy } from "./call-one.ts";
import { keepCallerContext } from "./keep-caller-context.ts";
import { makeFairTurns } from "../process/fair-turns.ts";
import { makeRunHost } from "./make-run-host.ts";

/** Makes a host. Servers are connected when a script that uses them is about to run. */
export function makeHost(options: HostOptions): Host {
  const { config, lockfile, audience = "person", onServerEvent: onEvent, events, gate } = options;
  const connections = options.connections ?? makeConnectionSet(config, { lockfile, onEvent });
  const inTurn = makeFairTurns();
  const lock = openLock(options, connections, inTurn);
  const runs = makeRunHost(options, connections, lock, inTurn);
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
