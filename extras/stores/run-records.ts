import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { RUN_ID } from "../../engine/run-id.ts";
import type { Sealer } from "../../engine/store-plan.ts";
import { storeUnreachable } from "../../schemas/config/serve-errors.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";
import { KEPT_MINUTES } from "../../serve/kept-shelf.ts";
import type { ToolCallResult } from "../../serve/surface.ts";
import type { OpenedStore } from "./postgres-store.ts";
import type { OpenWork } from "../../serve/http/open-work.ts";
import type { LongRuns, SharedRun } from "../../serve/long-runs/runs.ts";

/** A run as all replicas see it. What only the key opens is absent without it. */
export interface RunRecord extends OpenPart {
  details?: SealedPart | undefined;
}

/** Ids and states: what is kept without a key too. */
interface OpenPart {
  /** That runs it. */
  replica: string;
  /** A digest of the client's session. */
  session: string;
  begunAt: number;
  endedAt?: number | undefined;
  isCancelled: boolean;
  isKeyed: boolean;
}

interface SealedPart {
  /** Absent where it has failed, or was too long to be kept. */
  result?: ToolCallResult | undefined;
  /** `SERVER/TOOL`, the first ones; `callCount` counts all calls, and may be behind. */
  calls: readonly string[];
  callCount: number;
  findings: readonly Diagnostic[];
  question?: { number: number; question: ServerQuestion } | undefined;
}

/** What another replica wants of the one that has the run. */
export type RunOrder = { kind: "cancel" } | { kind: "reply"; number: number; reply: PersonsReply };

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
const ORDER_MS = 60_000;
/** Between tries for a claim that is taken and not there. */
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 640;
const MOST_BYTES = 4 * 1024 * 1024;

export function makeRunRecords({ store, sealer }: OpenedStore, client: string) {
  const place = (kind: string, id: string): string => `${kind}/${encodeURIComponent(client)}/${id}`;
  const { seal, open } = makeEnvelopes(sealer);
  return {
    async write(runId: string, { details, ...states }: RunRecord): Promise<void> {
      const name = place("run", runId);
      const { result: _, ...withoutResult } = details ?? { calls: [], callCount: 0, findings: [] };
      const sealed = details && (seal(name, details) ?? seal(name, withoutResult));
      const keptMs = states.endedAt === undefined ? RUNNING_MS : states.isKeyed ? KEYED_MS : KEPT_MS;
      await store.put(name, Buffer.from(JSON.stringify({ ...states, sealed })), keptMs);
    },
    async read(runId: string): Promise<RunRecord | undefined> {
      if (!RUN_ID.test(runId)) return undefined;
      const name = place("run", runId);
      const value = await store.get(name);
      if (value === undefined) return undefined;
      const { sealed, ...states } = JSON.parse(value.toString()) as OpenPart & { sealed?: string | undefined };
      return { ...states, details: open(name, sealed) as SealedPart | undefined };
    },
    async send(runId: string, order: RunOrder): Promise<void> {
      const name = place("order", runId);
      // A person's reply is for the key's holders alone; without a key a run can be cancelled.
      const value: JsonObject = order.kind === "cancel" ? { cancel: true } : { sealed: seal(name, order) ?? null };
      await store.put(name, Buffer.from(JSON.stringify(value)), ORDER_MS);
    },
    async takeOrder(runId: string): Promise<RunOrder | undefined> {
      const name = place("order", runId);
      const value = await store.take(name);
      if (value === undefined) return undefined;
      const { cancel, sealed } = JSON.parse(value.toString()) as {
        cancel?: boolean | undefined;
        sealed?: string | undefined;
      };
      return cancel === true ? { kind: "cancel" } : (open(name, sealed) as RunOrder | undefined);
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

/** Values for the holders of the key, as texts that can be part of others. */
export function makeEnvelopes(sealer: Sealer | undefined) {
  return {
    /** Undefined without a key, and for more than 4 MiB. */
    seal(name: string, value: unknown): string | undefined {
      const text = Buffer.from(JSON.stringify(value));
      return text.length > MOST_BYTES ? undefined : sealer?.seal(name, text).toString("base64");
    },
    /** Undefined where it is not there, or was sealed with another key or for another name. */
    open(name: string, sealed: unknown): unknown {
      const text = typeof sealed === "string" ? sealer?.open(name, Buffer.from(sealed, "base64")) : undefined;
      return text === undefined ? undefined : JSON.parse(text.toString());
    },
  };
}

/** A session's id carries what its client says of itself, so the store gets a digest. */
export function digestSession(session: string): string {
  return createHash("sha256").update(session).digest("base64url");
}

const LOOK_EVERY_MS = 400;

/** Looks into a store again and again, but only while something is open that it may hold an answer to. */
interface Looking {
  look(): Promise<void>;
  isOpen(): boolean;
  onFailure(error: unknown): void;
}

/** Returns what begins to look; it changes nothing while that goes on. */
export function makeLooking({ look, isOpen, onFailure }: Looking): () => void {
  let timer: NodeJS.Timeout | undefined;
  const keepLooking = (): void => {
    timer ??= setTimeout(() => {
      void look()
        .catch(onFailure)
        .finally(() => {
          timer = undefined;
          if (isOpen()) keepLooking();
        });
    }, LOOK_EVERY_MS).unref();
  };
  return keepLooking;
}

/** Writes what becomes of the runs of this replica into the store, and takes orders of others from there. */

interface RunMirrorOptions {
  records: RunRecords;
  replica: string;
  /** Counts what is being written. */
  writes: OpenWork;
  onFailure(error: unknown): void;
}

interface OpenRun {
  run: SharedRun;
  /** Since it was written. */
  isChanged: boolean;
  /** When its end was first seen, by the clock of this process. */
  endedAt?: number;
  writing: Promise<void> | undefined;
  /** The write that begins when this one is through. */
  next: Promise<void> | undefined;
}

const MOST_TOOLS = 100;
/** How long after its end a run is still written, where the store did not answer. */
const LAST_TRIES_MS = 60_000;

export function makeRunMirror({ records, replica, writes, onFailure }: RunMirrorOptions) {
  /** The runs that are not over, or whose end the store does not have. */
  const open = new Map<string, OpenRun>();
  let runs: Pick<LongRuns, "end" | "answer"> | undefined;

  const write = async (state: OpenRun): Promise<void> => {
    const { run } = state;
    state.isChanged = false;
    try {
      await records.write(run.id, toRecord(run, replica));
    } catch (error) {
      state.isChanged = true;
      onFailure(error);
    }
    if (run.ended !== undefined) state.endedAt ??= performance.now();
    const isDue = state.isChanged && performance.now() - (state.endedAt ?? Infinity) < LAST_TRIES_MS;
    if (run.ended !== undefined && !isDue) open.delete(run.id);
  };
  /** Resolves when a write that began after this call is through: changes that come while one is under way share the next. */
  const save = (state: OpenRun): Promise<void> => {
    if (state.writing === undefined) {
      state.writing = writes.track(write(state)).finally(() => (state.writing = undefined));
      return state.writing;
    }
    state.next ??= state.writing.then(() => {
      state.next = undefined;
      return save(state);
    });
    return state.next;
  };
  const look = async (): Promise<void> => {
    for (const [id, state] of open) {
      if (state.isChanged && state.writing === undefined) await save(state);
      const order = await records.takeOrder(id);
      if (order?.kind === "cancel") await runs?.end(id);
      else if (order?.kind === "reply") runs?.answer(id, order.number, order.reply);
    }
  };
  const keepLooking = makeLooking({ look, isOpen: () => open.size > 0, onFailure });
  return {
    /** Something of a run has changed. */
    changed(run: SharedRun): void {
      const state = open.get(run.id) ?? { run, isChanged: true, writing: undefined, next: undefined };
      state.isChanged = true;
      open.set(run.id, state);
      void save(state);
      keepLooking();
    },
    /** Resolves when the store has what is known of a run now, or has failed. */
    async written(runId: string): Promise<void> {
      const state = open.get(runId);
      await (state?.next ?? state?.writing);
    },
    /** The local runs that orders are for. */
    follow: (followed: Pick<LongRuns, "end" | "answer">): void => void (runs = followed),
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
