import type { HttpTarget } from "../server-target.ts";

/** What sends a request: `fetch`, or `fetch` with something added. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The login of a connection: asked for the token of each request, so that a new login is found at once. */
export interface ConnectionAuth {
  /** The token of the next request; undefined where there is none. */
  token(): Promise<string | undefined>;
  /**
   * Gets another token after an answer with HTTP 401. Throws where that needs a person.
   * @param response the answer
   */
  renew(response: Response): Promise<void>;
  /** Adds the proof that the token is the sender's to each request, where tokens are bound to a key. */
  withProof?: (next: Fetch) => Fetch;
  /** Keeps the scope that the server missed, for the next login to ask for. */
  noteMissingScope(scope: string): Promise<void>;
}

/**
 * Finds the login for a server.
 * @param learnSecret takes each token, so that messages never show it
 * @returns undefined where the server needs none, or the configuration says how to be authorized
 */
export type LoadAuth = (
  target: HttpTarget,
  learnSecret: (name: string, value: string) => void,
) => ConnectionAuth | undefined;
