import { visibleServer } from "../../../schemas/access/access.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { DriftPolicy } from "../../../schemas/config/config-file.ts";
import { diffServer } from "../../../schemas/diff/diff-lockfiles.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { findOperation } from "../../../schemas/lock/operations.ts";
import { isProgram } from "../../../schemas/config/program-server.ts";
import type { Audience } from "../../../schemas/audience.ts";
import type { CallError } from "../../../schemas/lock/tools.ts";
import { toServerDiagnostic } from "../connection-tool-error.ts";
import type { ServerConnection } from "@codemode/runtime/connections/connect-server";
import type { CallOptions } from "@codemode/runtime/connections/server-connection";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { drifted, toShown } from "./describe-drift.ts";
import { isRefused, refusalInRun } from "./drift-verdict.ts";
import type { LiveLock } from "./live-lock.ts";
import type { CallPlace, ListedConnection } from "./server-looks.ts";
import { toRefusal } from "../checks/refuse.ts";
import type { CallGuard, Run } from "../run.ts";

/** Calls over one place, and over the next ones where the session of that is lost. */
interface PassOver extends ListedConnection {
  callTool(
    name: string,
    input: JsonObject | undefined,
    options: CallOptions | undefined,
    attempt?: number,
  ): Promise<JsonObject>;
}

/** What compares the servers of a project with what a run is bound to. */
export interface DriftGuard {
  lock: LiveLock;
  drift: DriftPolicy;
  /** For whom the hints of findings are. */
  audience: Audience;
  /** Asks about a tool that has changed meanwhile; true where a person has accepted it. */
  askAboutChange(serverId: string, toolName: string, run: Run): Promise<boolean>;
}

/** Says that a call is not made because its server has changed. */
export class DriftRefusal extends Error {
  override readonly name = "DriftRefusal";
  readonly error: CallError;

  constructor(error: CallError) {
    super(error.message);
    this.error = error;
  }
}

/** How often a call that the server has not looked at is made again. */
const MAX_ATTEMPTS = 3;

/**
 * Guards the connections of one run. A server that was restarted, has lost its session or has announced a change is compared with the
 * lockfile value of the run before the next call goes out, and the call goes over the connection that was compared or not at all.
 * With `refuse` a changed tool of the manifest ends the calls of its server, with `review` the calls of that tool. With `refresh` the run keeps its lockfile value, the
 * change is reported in its answer, and only a tool that a person has allowed as it was before is refused. With `warn` it is reported.
 */
export function guardConnections(of: DriftGuard, run: Run): CallGuard {
  const { lock, drift, audience } = of;
  const { report } = run;
  const { access } = run.request;
  const { assertUnchanged, awaitAcceptance } = makeChangeJudge(of, run);
  /** Where the latest call of each server went: the next one goes there too, unless something has changed. */
  const passed = new Map<string, PassOver>();
  const firstPlaces = new Map<string, CallPlace>();
  const unlisted = new Set<ServerConnection>();

  /** If drift is only reported, the list requested at the start of the run is not awaited. */
  const needsList = (serverId: string, place: CallPlace): boolean => {
    if (drift !== "warn") return true;
    const first = firstPlaces.get(serverId) ?? place;
    firstPlaces.set(serverId, first);
    return !isSame(first, place) && !unlisted.has(place.connection);
  };

  const pass = async (serverId: string): Promise<PassOver> => {
    try {
      const { connection, renewals, live } = await lock.connect(serverId, access, (place) =>
        needsList(serverId, place),
      );
      if (drift === "warn" && !firstPlaces.has(serverId)) firstPlaces.set(serverId, { connection, renewals });
      if (live !== undefined && drift !== "review" && !isProgram(live)) assertUnchanged(serverId, live);
      const found = passOver(serverId, { connection, renewals, live });
      passed.set(serverId, found);
      return found;
    } catch (error) {
      if (drift !== "warn" || error instanceof DriftRefusal) throw error;
      const { connection, renewals } = await lock.connect(serverId, access, () => false);
      unlisted.add(connection);
      report(toServerDiagnostic(error, serverId, audience));
      return passOver(serverId, { connection, renewals, live: undefined });
    }
  };

  const passOver = (serverId: string, { connection, renewals, live }: ListedConnection): PassOver => ({
    ...{ connection, renewals, live },
    callTool(name, input, options, attempt = 1) {
      // For each call: V8 takes ten times as long to spread an object and to add a member.
      const send = () =>
        connection.callTool(name, input, Object.assign({}, options, { renewals })).catch(async (error: unknown) => {
          if (attempt >= MAX_ATTEMPTS || !isSessionLost(error)) throw error;
          return (await pass(serverId)).callTool(name, input, options, attempt + 1);
        });
      const acceptance = drift === "review" ? awaitAcceptance(serverId, live, name) : undefined;
      return acceptance === undefined ? send() : acceptance.then(send);
    },
  });

  return (serverId) => {
    const known = passed.get(serverId);
    return known !== undefined && lock.isCurrent(serverId, access, known) ? known : pass(serverId);
  };
}

/** Judges what is different from the lockfile value of a run, once for each definition. */
function makeChangeJudge({ lock, drift, askAboutChange }: DriftGuard, run: Run) {
  const { report } = run;
  const { access } = run.request;
  const refusal = refusalInRun(drift, run.manifest, run.granted);
  /** By server: the integrities that were compared, and what came of it. */
  const verdicts = new Map<string, Map<string, Diagnostic | undefined>>();

  /** What is wrong with a server; undefined where nothing is that was not said when the run began. */
  const evaluate = (serverId: string, live: LockedServer): Diagnostic | undefined => {
    if (run.seen.get(serverId)?.integrity === live.integrity) return undefined;
    const bound = run.lockfile.servers.get(serverId);
    const change = diffServer(serverId, bound, bound?.isPartial === true ? visibleServer(live, access) : live);
    if (change === undefined) return undefined;
    const isStopped = isRefused(change, refusal);
    // What waits for a person is asked about, or named, where a script needs it.
    if (drift === "review" && !isStopped) return undefined;
    lock.report(change, live, access, isStopped ? "refused" : "warned");
    const shown = toShown(change, bound, live, access);
    if (isStopped) return drifted("error", serverId, shown, RUN_AGAIN[drift]);
    return shown === undefined ? undefined : drifted("warning", serverId, shown, RUN_AGAIN[drift]);
  };

  /** What a person was asked about while the script runs: one question for each definition, however many calls wait for it. */
  const questions = new Map<string, Promise<boolean>>();

  /** By list: what is as it was bound, which each further call need not find out again. */
  const unchanged = new WeakMap<LockedServer, Set<string>>();

  /** With `review`, calls of what is as it was go on at once, and others wait for a person. */
  const awaitAcceptance = (
    serverId: string,
    live: LockedServer | undefined,
    name: string,
  ): Promise<void> | undefined => {
    if (live === undefined || isProgram(live) || unchanged.get(live)?.has(name) === true) return undefined;
    const bound = findOperation(run.lockfile.servers.get(serverId), name);
    const now = findOperation(live, name);
    if (bound?.integrity !== now?.integrity) return assertAccepted(serverId, live, name, now?.integrity);
    unchanged.set(live, (unchanged.get(live) ?? new Set()).add(name));
    return undefined;
  };

  const assertAccepted = async (
    serverId: string,
    live: LockedServer,
    name: string,
    integrity: string | undefined,
  ): Promise<void> => {
    const question = `${serverId}/${name} ${integrity ?? ""}`;
    const asked = questions.get(question) ?? askAboutChange(serverId, name, run);
    questions.set(question, asked);
    if (await asked) return;
    assertUnchanged(serverId, live);
    // The answer names the change already, or the run has begun without what the server offers now.
    const message = `The tool "${name}" of "${serverId}" is not as it was locked.`;
    throw new DriftRefusal(toRefusal("ToolCallError", message, RUN_AGAIN.review));
  };

  const assertUnchanged = (serverId: string, live: LockedServer): void => {
    const known = verdicts.get(serverId) ?? new Map<string, Diagnostic | undefined>();
    verdicts.set(serverId, known);
    if (!known.has(live.integrity)) {
      const verdict = evaluate(serverId, live);
      known.set(live.integrity, verdict);
      if (verdict !== undefined) report(verdict);
    }
    const verdict = known.get(live.integrity);
    if (verdict?.severity !== "error") return;
    throw new DriftRefusal(toRefusal("ToolCallError", verdict.message, verdict.hint as string));
  };

  return { assertUnchanged, awaitAcceptance };
}

/** The caller's next step, by what the policy does about drift. */
const RUN_AGAIN: Record<DriftPolicy, string> = {
  review: "It changed during the run. Run the script again: a person is then asked about the change.",
  refresh: "It changed during the run, which keeps the earlier tools. The next run uses the new ones.",
  refuse: "It changed during the run. Review the change and accept it, then run the script again.",
  warn: "It changed during the run. Review the change, and check what the calls after it returned.",
};

function isSame(one: CallPlace, other: CallPlace): boolean {
  return one.connection === other.connection && one.renewals === other.renewals;
}

function isSessionLost(error: unknown): boolean {
  return error instanceof ConnectionError && error.kind === "session-lost";
}
