import type { ConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { findUnlocked } from "../project/config/find-server.ts";
import { bundlePlaces } from "../project/project-places.ts";
import type { HostOptions } from "./host-options.ts";
import type { RunHost } from "./run-host.ts";
import { type Refusal, serversOf } from "../../runtime/host/lock/drift-verdict.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { BundleOutcome } from "../bundle/bundle-script.ts";
import { cacheBundles } from "../bundle/process/bundler.ts";
import type { Audience, AudienceHint } from "../../schemas/audience.ts";
import { CANCELLED } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import type { InTurn } from "../process/fair-turns.ts";
import { findNamedResults, findNamedServers } from "../project/script.ts";
import type { PreparedScript, ScriptToBundle, ScriptPreparation } from "./prepared-script.ts";

/**
 * Makes what prepares the scripts of a host.
 * @param inTurn blocks bundling while the packages are written, so that no script sees half of a change
 */
export function makeScriptPreparation(
  { config, bundler, drift, audience = "person", isFrozenSession, readChanged }: HostOptions,
  { lock, importable, refusalOf, admitStart }: Pick<RunHost, "lock" | "importable" | "refusalOf" | "admitStart">,
  connections: ConnectionSet,
  inTurn: InTurn,
): ScriptPreparation {
  const places = bundlePlaces(config);
  /** A server that the configuration has and the lockfile lacks is started for a script that names it, and locked. */
  const locksNewServers = drift === "refresh" || drift === "review";
  // A cached bundle needs no queue.
  const cached = cacheBundles({
    bundle: (script, bundling, clientId) => inTurn(() => bundler.bundle(script, bundling, clientId), clientId),
  });

  const bundle: ScriptPreparation["bundle"] = async ({ script, access, results, bundler: chosen = cached }) => {
    const lockfile = importable(access);
    const resultIds = [...findNamedResults(script.code, results).keys()];
    const named = resultIds.length === 0 ? {} : { resultIds };
    return { outcome: await chosen.bundle(script, { ...places, lockfile, ...named }, access.client), lockfile };
  };

  /** Bundles, once more where the packages on disk follow from another lockfile. */
  const bundleHere = async (request: ScriptToBundle): ReturnType<typeof bundle> => {
    const first = await bundle(request);
    if (request.bundler !== undefined || !isOutOfDate(first.outcome)) return first;
    if (isFrozenSession === true) return { ...first, outcome: withHint(first.outcome, START_AGAIN) };
    if (readChanged === undefined) return first;
    // Another process may have locked or generated meanwhile: what is accepted is read again, and bundled from a package of its own.
    await lock.reload();
    await lock.emit(findNamedServers(request.script.code, first.lockfile.servers));
    return bundle(request);
  };

  const prepare: ScriptPreparation["prepare"] = async (request, timeoutMs) => {
    const { script, access, signal } = request;
    const before = lock.current();
    const first = await bundleHere(request);
    const { outcome } = first;
    const serverIds = outcome.ok
      ? serversOf(outcome.bundle.manifest)
      : [first.lockfile.servers, new Set(findUnlocked(config, lock.current(), access.servers))].flatMap((known) =>
          findNamedServers(script.code, known),
        );
    const refusal: Refusal = outcome.ok ? refusalOf(outcome.bundle.manifest) : { kind: "none" };
    const startable = serverIds.filter((id) => locksNewServers || first.lockfile.servers.has(id));
    const unstarted = await admitStart(startable, request);
    if (unstarted !== undefined) return refuse(first, unstarted);
    const deadline = makeDeadline(timeoutMs, signal);
    const ask = <Answer>(asked: readonly string[], question: (serverId: string) => Promise<Answer>) =>
      deadline.within(asked.map((serverId) => ({ serverId, answer: question(serverId) })));
    const looks = ask(serverIds, (serverId) => lock.look([serverId], refusal, access));
    /** What is left to say where servers were late, or the run was cancelled meanwhile. */
    const giveUp = (late: readonly string[]): PreparedScript => {
      const why = signal?.aborted === true ? CANCELLED : describeLateStart(late, timeoutMs, audience);
      return refuse(first, why);
    };
    if (drift === "warn") {
      // Then the run need not wait for the tool lists.
      const findings = looks.then(({ answers, late }) => [...answers.flat(), ...late.map(describeLateList)]);
      findings.catch(() => undefined); // the caller that awaits them after the run gets the error
      const { late } = await ask(
        startable,
        (serverId) => connections.get(serverId, access).catch(() => undefined), // then its calls say why
      );
      if (late.length > 0) return giveUp(late);
      return { ...first, seen: lock.seen(serverIds, access), findings, isRefused: false };
    }
    const { answers, late } = await looks;
    if (late.length > 0) return giveUp(late);
    const hasFollowed = lock.current() !== before;
    const last = hasFollowed ? await bundleHere(request) : first;
    const unmet = drift === "review" && !last.outcome.ok ? lock.describePending(serverIds, access) : [];
    const found = [...answers.flat(), ...unmet];
    const findings = Promise.resolve(found);
    const isRefused = found.some(({ severity }) => severity === "error");
    return { ...last, seen: lock.seen(serverIds, access), findings, isRefused };
  };
  return { bundle: bundleHere, prepare };
}

function isOutOfDate(outcome: BundleOutcome): boolean {
  return !outcome.ok && outcome.diagnostics.some(({ code }) => code === "LOCK_DRIFT");
}

const START_AGAIN = "It was locked and generated again since this host began, which is frozen. Start codemode again.";

function withHint(outcome: BundleOutcome, hint: string): BundleOutcome {
  if (outcome.ok) return outcome;
  const diagnostics = outcome.diagnostics.map((found) => (found.code === "LOCK_DRIFT" ? { ...found, hint } : found));
  return { ...outcome, diagnostics };
}

/** A script that must not run, and why. */
function refuse(script: Pick<PreparedScript, "outcome" | "lockfile">, why: Diagnostic): PreparedScript {
  return { ...script, seen: new Map(), findings: Promise.resolve([why]), isRefused: true };
}

/** However short a run may be, a server that has to be started gets this long. */
const MIN_WAIT_MS = 10_000;

/** Something that is found out about one server. */
interface ServerLook<Answer> {
  serverId: string;
  answer: Promise<Answer>;
}

/** What was found out in time, and the servers that were still being waited for. */
interface ServersInTime<Answer> {
  answers: Answer[];
  late: string[];
}

/** The time for which a run waits for its servers, from now on. */
interface Deadline {
  /** Settles when all have answered, or the time is over, or the run is cancelled. Rejects with what an answer was rejected with. */
  within<Answer>(questions: readonly ServerLook<Answer>[]): Promise<ServersInTime<Answer>>;
}

/** A run that is over waits for no server: it would take longer than its own limit. */
function makeDeadline(timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  const deadline = performance.now() + Math.max(timeoutMs, MIN_WAIT_MS);
  return {
    async within(questions) {
      const failures: unknown[] = [];
      const late = new Set(questions.map(({ serverId }) => serverId));
      const answers: Awaited<(typeof questions)[number]["answer"]>[] = [];
      const all = questions.map(async ({ serverId, answer }) => {
        try {
          answers.push(await answer);
        } catch (error) {
          failures.push(error);
        } finally {
          late.delete(serverId);
        }
      });
      await settleUntil(Promise.all(all), deadline - performance.now(), signal);
      if (failures.length > 0) throw failures[0];
      return { answers: [...answers], late: [...late] };
    },
  };
}

/** What a run ends with that has waited for its servers for all of its time. */
function describeLateStart(late: readonly string[], timeoutMs: number, audience: Audience): Diagnostic {
  const names = late.map((serverId) => `"${serverId}"`).join(", ");
  const waited = Math.max(timeoutMs, MIN_WAIT_MS) / 1000;
  return {
    severity: "error",
    code: "SANDBOX_LIMIT",
    message: `The script did not start within timeoutMs (${timeoutMs} ms): it was waiting ${waited} s for the start of ${names}`,
    hint: LATE_START[audience],
    errorClass: "SandboxLimitError",
  };
}

const LATE_START: AudienceHint = {
  person:
    'Find out why the server does not start, or raise "limits.timeoutMs" (--timeout); the server\'s own limit is "timeoutMs" in "mcpServers".',
  agent: "Do without the server, or tell the user that it does not start.",
};

/** What is said of a server that had not listed its tools when the run was over. */
function describeLateList(serverId: string): Diagnostic {
  return {
    severity: "warning",
    code: "SERVER_UNAVAILABLE",
    message: `The server "${serverId}" was not compared with the lockfile: it had not listed its tools when the run ended.`,
    hint: "Run it again when the server answers.",
    errorClass: "ServerNotFoundError",
  };
}

function settleUntil(settling: Promise<unknown>, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(stop, Math.max(milliseconds, 0));
    function stop(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    void settling.then(stop);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop);
  });
}
