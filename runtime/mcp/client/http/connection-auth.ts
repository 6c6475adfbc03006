import type { AuthProvider, FetchLike } from "@modelcontextprotocol/client";
import type { HttpTarget } from "../server-target.ts";

/** The login of a connection: asked for the token of each request, so that a new login is found at once. */
export interface ConnectionAuth {
  provider: AuthProvider;
  /** Adds the proof that the token is the sender's to each request, where tokens are bound to a key. */
  withProof?: (next: FetchLike) => FetchLike;
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
) => Promise<ConnectionAuth | undefined>;
