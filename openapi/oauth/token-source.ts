import type { Tokens } from "./protocol.ts";

/** Gives the token of a login, and fetches it where there is none. */
export interface TokenSource {
  /** A token that has not expired. Calls at the same time wait for one request. */
  get: () => Promise<string>;
  /** Takes a token back that the API has refused: the next `get` fetches another. */
  discard: (token: string) => void;
}

/** A token is used until shortly before its end: a tenth of its life, and at most this. */
const MAX_MARGIN_SECONDS = 30;

/** Keeps the token of a login in memory. `fetchTokens` gets the newest refresh token that a server gave. */
export function makeTokenSource(
  fetchTokens: (refreshToken: string | undefined) => Promise<Tokens>,
  refreshToken: string | undefined,
  now: () => number = () => performance.now() / 1_000,
): TokenSource {
  let kept: { token: string; until: number } | undefined;
  let pending: Promise<string> | undefined;
  let refresh = refreshToken;
  const fetchOne = async (): Promise<string> => {
    const asked = now();
    const { accessToken, expiresIn, refreshToken: next } = await fetchTokens(refresh);
    refresh = next ?? refresh;
    const margin = Math.min(MAX_MARGIN_SECONDS, (expiresIn ?? 0) / 10);
    kept = { token: accessToken, until: expiresIn === undefined ? Infinity : asked + expiresIn - margin };
    return accessToken;
  };
  return {
    get() {
      if (kept !== undefined && now() < kept.until) return Promise.resolve(kept.token);
      pending ??= fetchOne().finally(() => (pending = undefined));
      return pending;
    },
    discard(token) {
      if (kept?.token === token) kept = undefined;
    },
  };
}
