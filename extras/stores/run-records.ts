import { createHash } from "node:crypto";
import { clock, delay } from "../../engine/clock.ts";
import { RUN_ID } from "../../engine/run-id.ts";
import { storeUnreachable } from "../../schemas/config/serve-errors.ts";
import { KEPT_MINUTES } from "../../serve/kept-shelf.ts";
import type { ToolCallResult } from "../../serve/surface.ts";
import type { OpenedStore } from "./postgres-store.ts";
import type { SharedRun } from "../../serve/long-runs/runs.ts";
import { keepWritten } from "./keep-written.ts";
import { makeEnvelopes, type Message } from "./mail.ts";
import type { Joined } from "./replica.ts";

/** A run as all replicas see it. What only the key opens is absent without it. */
export interface RunRecord extends OpenPart {
  details?: SealedPart | undefined;
}

/** Ids and states: what is kept without a key too. The session is a digest. */
interface OpenPart extends Pick<SharedRun, "session" | "begunAt" | "isCancelled" | "isKeyed"> {
  /** That runs it. */
  replica: string;
  endedAt?: number | undefined;
}

interface SealedPart extends Pick<SharedRun, "callCount" | "findings" | "question"> {
  /** Absent where it has failed, or was too long to be kept. */
  result?: ToolCallResult | undefined;
  /** `SERVER/TOOL`, the first ones; `callCount` counts all calls, and may be behind. */
  calls: readonly string[];
}

/** The first run of a key. `call` is a digest of what it was to do. */
export interface KeyClaim {
  runId: string;
  call: string;
}

/** The runs of one client in a store. */
export type RunRecords = ReturnType<typeof makeRunRecords>;

const KEPT_MS = KEPT_MINUTES * 60_000;
/** Of a run with a key, which its caller may ask for again. */
const KEYED_MS = 3_600_000;
const RUNNING_MS = 24 * 3_600_000;
const CLAIM_MS = 24 * 3_600_000;
/** Between tries for a claim that is taken and not there. */
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 640;

export function makeRunRecords({ store, sealer }: OpenedStore, client: string) {
  const place = (kind: string, id: string): string => `${kind}/${encodeURIComponent(client)}/${id}`;
  const { seal, open } = makeEnvelopes(sealer);
  const nameOf = (runId: string): string => place("run", runId);
  return {
    nameOf,
    async write(runId: string, { details, ...states }: RunRecord): Promise<void> {
      const name = nameOf(runId);
      const { result: _, ...withoutResult } = details ?? { calls: [], callCount: 0, findings: [] };
      const sealed = details && (seal(name, details) ?? seal(name, withoutResult));
      const keptMs = states.endedAt === undefined ? RUNNING_MS : states.isKeyed ? KEYED_MS : KEPT_MS;
      await store.put(name, Buffer.from(JSON.stringify({ ...states, sealed })), keptMs);
    },
    async read(runId: string): Promise<RunRecord | undefined> {
      if (!RUN_ID.test(runId)) return undefined;
      const name = nameOf(runId);
      const value = await store.get(name);
      if (value === undefined) return undefined;
      const { sealed, ...states } = JSON.parse(value.toString()) as OpenPart & { sealed?: string | undefined };
      return { ...states, details: open(name, sealed) as SealedPart | undefined };
    },
    /** The first claim of the key: the given one unless another was there before. */
    async claim(key: string, claim: KeyClaim): Promise<KeyClaim> {
      const name = place("key", key);
      const value = Buffer.from(JSON.stringify(claim));
      for (let pauseMs = FIRST_PAUSE_MS; pauseMs <= LAST_PAUSE_MS; pauseMs *= 2) {
        if (await store.add(name, value, CLAIM_MS)) return claim;
        const first = await store.get(name);
        // Undefined where it was released in between: without a claim in the store another request would run too.
        if (first !== undefined) return JSON.parse(first.toString()) as KeyClaim;
        await delay(pauseMs);
      }
      throw storeUnreachable("of replicas", { code: "KEY_TAKEN_AND_ABSENT" });
    },
    /** The run of the key has done nothing: the next request of the key runs. */
    release: async (key: string): Promise<void> => void (await store.take(place("key", key))),
  };
}

/** A session's id carries what its client says of itself, so the store gets a digest. */
export function digestSession(session: string): string {
  return createHash("sha256").update(session).digest("base64url");
}

const MOST_TOOLS = 100;
/** How long after its end a run is still written, where the store did not answer. */
const LAST_TRIES_MS = 60_000;

interface RunMirrorOptions {
  shared: Pick<Joined, "replica" | "mail" | "writes" | "onFailure">;
  records: Pick<RunRecords, "nameOf" | "write">;
  /** Takes what another replica wants of a run. */
  take(runId: string, message: Message): unknown;
}

/** Writes what becomes of the runs of this replica into the store, and takes messages to them. */
export function makeRunMirror({ shared, records, take }: RunMirrorOptions) {
  /** The runs that are not over, or whose end the store does not have. */
  const open = new Map<string, ReturnType<typeof keepWritten>>();
  const follow = (run: SharedRun): ReturnType<typeof keepWritten> => {
    const deafen = shared.mail.listen(records.nameOf(run.id), (message) => take(run.id, message));
    const leave = (): void => {
      open.delete(run.id);
      deafen();
    };
    let lastTry = Infinity;
    const write = async (): Promise<void> => {
      const isOver = run.ended !== undefined;
      if (isOver) lastTry = Math.min(lastTry, clock.now() + LAST_TRIES_MS);
      await records.write(run.id, toRecord(run, shared.replica.id));
      if (isOver) leave();
    };
    const isDue = (): boolean => {
      const isLate = clock.now() > lastTry;
      if (isLate) leave();
      return !isLate;
    };
    const kept = keepWritten(shared, write, isDue);
    open.set(run.id, kept);
    return kept;
  };
  return {
    /** Something of a run has changed. */
    changed: (run: SharedRun): void => (open.get(run.id) ?? follow(run)).changed(),
    /** Resolves when the store has what is known of a run now, or has failed. */
    written: async (runId: string): Promise<void> => open.get(runId)?.written(),
  };
}

function toRecord(run: SharedRun, replica: string): RunRecord {
  const { session, begunAt, ended, isCancelled, isKeyed, tools, callCount, findings, question } = run;
  return {
    ...{ replica, session: digestSession(session), begunAt, isCancelled, isKeyed },
    endedAt: ended?.at,
    details: {
      calls: [...tools].slice(0, MOST_TOOLS),
      callCount,
      findings,
      result: ended?.result,
      question: question && { number: question.number, question: question.question },
    },
  };
}
