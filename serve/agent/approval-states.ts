import { randomBytes, randomUUID } from "node:crypto";
import { type RunStore, makeMemoryStore } from "../store/run-store.ts";
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";

/** What comes back with a person's answer, through the client: it is signed, and good for one run. */
export interface ApprovalState {
  /** Of the script that the person was asked about. */
  digest: string;
  /** Of the request that the question answered. */
  call: string;
  nonce: string;
  /** When the question was made, by the clock of the store. */
  askedAt: number;
  /** How many forms this approval has had, with this one; 1 unless given. */
  forms?: number | undefined;
  /** Of the run that asks, where a server in it does. */
  runId?: string | undefined;
  /** The number of its question. */
  question?: number | undefined;
}

/** The questions that were put to people in clients of the revision 2026-07-28. One for each process, or with a store for all replicas. */
export type ApprovalStates = ReturnType<typeof makeApprovalStates>;

/** How long a person may take. */
export const APPROVAL_SECONDS = 600;
/** Without a store each process judges by its own clock. */
const SKEW_MS = 60_000;
/** How long one that was used is remembered: longer than it is good for by any clock that counts. */
const SPENT_MINUTES = 20;
/** The codec judges by the clock of this process, which may be wrong: for it states are good for long. */
const CODEC_SECONDS = 24 * 3600;

/**
 * @param key of at least 32 bytes; processes that stand in for each other need the same one
 * @param store where the states that were used are written down; where it does not answer, no state can be used
 */
export function makeApprovalStates(
  key: Uint8Array = randomBytes(32),
  store: Pick<RunStore, "add" | "now"> = makeMemoryStore(),
) {
  return {
    /** Signs and verifies the states of one client; no other can use them. */
    codecFor: (client: string): RequestStateCodec<ApprovalState> =>
      createRequestStateCodec<ApprovalState>({
        key,
        ttlSeconds: CODEC_SECONDS,
        bind: ({ mcpReq }) => JSON.stringify([mcpReq.method, client]),
      }),
    make: async (
      digest: string,
      call: string,
      asking?: Pick<ApprovalState, "runId" | "question" | "forms">,
    ): Promise<ApprovalState> => ({
      ...{ digest, call, nonce: randomUUID(), askedAt: await store.now() },
      ...asking,
    }),
    /** True the first time that a state comes back, in its time. */
    async spend({ nonce, askedAt }: ApprovalState): Promise<boolean> {
      const ageMs = (await store.now()) - askedAt;
      if (ageMs < -SKEW_MS || ageMs > APPROVAL_SECONDS * 1000) return false;
      return store.add(`approval/${nonce}`, Buffer.alloc(0), SPENT_MINUTES * 60_000);
    },
  };
}
