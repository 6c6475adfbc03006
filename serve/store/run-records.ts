import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { storeUnreachable } from "../../schemas/config/serve-errors.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";
import { KEPT_MINUTES } from "../long-runs/answer-shelf.ts";
import type { ToolCallResult } from "../surface.ts";
import type { OpenedStore } from "./open-store.ts";

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
export interface RunRecords {
  write(runId: string, record: RunRecord): Promise<void>;
  read(runId: string): Promise<RunRecord | undefined>;
  send(runId: string, order: RunOrder): Promise<void>;
  takeOrder(runId: string): Promise<RunOrder | undefined>;
  /** The first claim of the key: the given one unless another was there before. */
  claim(key: string, claim: KeyClaim): Promise<KeyClaim>;
  /** The run of the key has done nothing: the next request of the key runs. */
  release(key: string): Promise<void>;
}

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

export function makeRunRecords({ store, sealer }: OpenedStore, client: string): RunRecords {
  const place = (kind: string, id: string): string => `${kind}/${encodeURIComponent(client)}/${id}`;
  const seal = (name: string, value: unknown): string | undefined => {
    const text = Buffer.from(JSON.stringify(value));
    return text.length > MOST_BYTES ? undefined : sealer?.seal(name, text).toString("base64");
  };
  const open = (name: string, sealed: unknown): unknown => {
    const text = typeof sealed === "string" ? sealer?.open(name, Buffer.from(sealed, "base64")) : undefined;
    return text === undefined ? undefined : JSON.parse(text.toString());
  };
  return {
    async write(runId, { details, ...states }) {
      const name = place("run", runId);
      const { result: _, ...withoutResult } = details ?? { calls: [], callCount: 0, findings: [] };
      const sealed = details && (seal(name, details) ?? seal(name, withoutResult));
      const keptMs = states.endedAt === undefined ? RUNNING_MS : states.isKeyed ? KEYED_MS : KEPT_MS;
      await store.put(name, Buffer.from(JSON.stringify({ ...states, sealed })), keptMs);
    },
    async read(runId) {
      if (!RUN_ID.test(runId)) return undefined;
      const name = place("run", runId);
      const value = await store.get(name);
      if (value === undefined) return undefined;
      const { sealed, ...states } = JSON.parse(value.toString()) as OpenPart & { sealed?: string | undefined };
      return { ...states, details: open(name, sealed) as SealedPart | undefined };
    },
    async send(runId, order) {
      const name = place("order", runId);
      // A person's reply is for the key's holders alone; without a key a run can be cancelled.
      const value: JsonObject = order.kind === "cancel" ? { cancel: true } : { sealed: seal(name, order) ?? null };
      await store.put(name, Buffer.from(JSON.stringify(value)), ORDER_MS);
    },
    async takeOrder(runId) {
      const name = place("order", runId);
      const value = await store.take(name);
      if (value === undefined) return undefined;
      const { cancel, sealed } = JSON.parse(value.toString()) as {
        cancel?: boolean | undefined;
        sealed?: string | undefined;
      };
      return cancel === true ? { kind: "cancel" } : (open(name, sealed) as RunOrder | undefined);
    },
    async claim(key, claim) {
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
    release: async (key) => void (await store.take(place("key", key))),
  };
}

/** As `makeLongRuns` makes them. */
const RUN_ID = /^[\w-]{22}$/;

/** A session's id carries what its client says of itself, so the store gets a digest. */
export function digestSession(session: string): string {
  return createHash("sha256").update(session).digest("base64url");
}
