/** No authorization server may hold a call, or the lock that it is made under, longer than this. */
const TIMEOUT_MS = 15_000;

/** A `fetch` for requests to authorization servers. */
export function makeAuthFetch(signal?: AbortSignal): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return (url, init) => {
    const signals = [AbortSignal.timeout(TIMEOUT_MS), signal, init?.signal].filter(
      (each) => each instanceof AbortSignal,
    );
    return fetch(url, { ...init, signal: AbortSignal.any(signals) });
  };
}
