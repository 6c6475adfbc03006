import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { resolveTarget } from "../runtime/mcp/resolve-target.ts";
import { assertTrusted } from "../runtime/mcp/trust/assert-trusted.ts";
import { filledVariables } from "../runtime/mcp/variables.ts";
import type { Config } from "../schemas/config/config.ts";
import { optionInvalid, serverUnavailable } from "../schemas/errors.ts";
import { findServer } from "./project/config/find-server.ts";

/** Asks the user for what a browser elsewhere ended on, after saying what was wrong with the last answer. Undefined where there is none. */
export type ReadPasted = (problem: string | undefined, signal: AbortSignal) => Promise<string | undefined>;

/** A login that has worked. */
export interface Login {
  /** The server's name. */
  name: string;
  /** The authorization server. */
  issuer: string;
  scope?: string | undefined;
}

/**
 * Logs in to a remote server with OAuth, and stores the tokens on this account.
 * @param word the id of the server, or its name in the configuration
 * @param openUrl shows a page to the user
 * @param readPasted asks for what a browser elsewhere ended on
 * @throws CodemodeError where the server is unknown, not remote or not trusted, or the login fails
 */
export async function logIn(
  config: Config,
  word: string,
  openUrl: (url: URL) => void,
  readPasted: ReadPasted | undefined,
  signal: AbortSignal,
): Promise<Login> {
  assertTrusted(config, findServer(config, word));
  const target = findRemote(config, word);
  const { login } = await import("../runtime/mcp/oauth/login.ts");
  const { issuer, scope } = await explained(target, login(target, { openUrl, readPasted, signal }));
  return { name: target.name, issuer, scope };
}

/**
 * Forgets the tokens, and revokes them at the authorization server. It reaches nothing that the configuration names.
 * @throws CodemodeError as `logIn`
 */
export async function logOut(
  config: Config,
  word: string,
  signal: AbortSignal,
): Promise<{ name: string; wasLoggedIn: boolean }> {
  const target = findRemote(config, word);
  const { logout } = await import("../runtime/mcp/oauth/logout.ts");
  return { name: target.name, wasLoggedIn: await explained(target, logout(target, signal)) };
}

function findRemote(config: Config, word: string): HttpTarget {
  const server = findServer(config, word);
  const target = resolveTarget(server, config.folder, filledVariables(config, process.env, server));
  if (target.transport === "stdio")
    throw optionInvalid(
      `server "${server.name}"`,
      "only remote servers have a login",
      'A program gets its credentials from "env" of its entry.',
    );
  return target;
}

async function explained<Value>({ name }: HttpTarget, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ConnectionError ? serverUnavailable(name, error.message, error.hint) : error;
  }
}
