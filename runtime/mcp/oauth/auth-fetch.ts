import { setTimeout as delay } from "node:timers/promises";
import { isPassingStatus } from "@codemode/runtime/call-failure";
import { readRetryAfter } from "@codemode/runtime/read-retry-after";

/** No authorization server may hold a call, or the lock that it is made under, longer than this. */
const TIMEOUT_MS = 15_000;

/** So often a request is made in all, where the server is busy or down for a moment. */
const MAX_TRIES = 3;
/** The longest pause; a server that asks for more is said to be busy. */
const MAX_PAUSE_MS = 2_000;

/** The same `fetch` with some patience for a server that is busy, or down for a moment: for requests that may be made twice. `lastStatus` belongs to the last answer. */
export function makePatientFetch(send = makeAuthFetch()): {
  fetchFn: ReturnType<typeof makeAuthFetch>;
  lastStatus: () => number | undefined;
} {
  let status: number | undefined;
  const fetchFn: ReturnType<typeof makeAuthFetch> = async (url, init) => {
    for (let tries = 1; ; tries += 1) {
      const response = await send(url, init);
      ({ status } = response);
      const pause = pauseAfter(response, tries);
      if (!isPassingStatus(status) || tries === MAX_TRIES || pause > MAX_PAUSE_MS) return response;
      await response.body?.cancel();
      await delay(pause, undefined, { signal: init?.signal ?? undefined });
    }
  };
  return { fetchFn, lastStatus: () => status };
}

function pauseAfter({ headers }: Response, tries: number): number {
  return readRetryAfter(headers.get("retry-after")) ?? 200 * 3 ** (tries - 1);
}

/** A `fetch` for requests to authorization servers. */
export function makeAuthFetch(signal?: AbortSignal): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return (url, init) => {
    const signals = [AbortSignal.timeout(TIMEOUT_MS), signal, init?.signal].filter(
      (each) => each instanceof AbortSignal,
    );
    return fetch(url, { ...init, signal: AbortSignal.any(signals) });
  };
}
