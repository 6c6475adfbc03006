import { randomBytes, randomUUID } from "node:crypto";
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";

/** What comes back with a person's answer, through the client: it is signed, and good for one run. */
export interface ApprovalState {
  /** Of the script that the person was asked about. */
  digest: string;
  /** Of the request that the question answered. */
  call: string;
  nonce: string;
  /** Of the run that asks, where a server in it does. */
  runId?: string;
}

/** The questions that were put to people in clients of the revision 2026-07-28. One for each process. */
export interface ApprovalStates {
  /** Signs and verifies the states of one client; no other can use them. */
  codecFor(client: string): RequestStateCodec<ApprovalState>;
  make(digest: string, call: string, runId?: string): ApprovalState;
  /** True the first time that a state comes back. */
  spend(state: ApprovalState): boolean;
}

/** How long a person may take. */
export const APPROVAL_SECONDS = 600;

/** @param key of at least 32 bytes; processes that stand in for each other need the same one */
export function makeApprovalStates(key: Uint8Array = randomBytes(32)): ApprovalStates {
  const spent = new Map<string, number>();
  return {
    codecFor: (client) =>
      createRequestStateCodec<ApprovalState>({
        key,
        ttlSeconds: APPROVAL_SECONDS,
        bind: ({ mcpReq }) => JSON.stringify([mcpReq.method, client]),
      }),
    make: (digest, call, runId) => ({ digest, call, nonce: randomUUID(), ...(runId !== undefined && { runId }) }),
    spend({ nonce }) {
      const now = performance.now();
      for (const [old, at] of spent) {
        if (now - at < APPROVAL_SECONDS * 1000) break;
        spent.delete(old);
      }
      if (spent.has(nonce)) return false;
      spent.set(nonce, now);
      return true;
    },
  };
}
