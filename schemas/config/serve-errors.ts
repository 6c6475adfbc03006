import { CodemodeError } from "../codemode-error.ts";
import { noteCause } from "../passing-error.ts";

// The errors of `codemode serve`, sorted by name. Texts must not hold values of variables or headers.

/** A run needs an approval, and this account has set no passphrase to give one with. */
export const approvalsNotSetUp = (): CodemodeError =>
  new CodemodeError(
    "APPROVALS_NOT_SET_UP",
    2,
    "A run needs an approval that its client cannot give, and no passphrase is set to give one at a terminal.",
    "Run `codemode approvals --setup` in a terminal of your own, and start codemode again.",
  );

/** The audit log is required and cannot be written. */
export const auditUnwritable = (file: string): CodemodeError =>
  new CodemodeError(
    "AUDIT_UNWRITABLE",
    1,
    `The audit log ${file} cannot be written, and "audit.required" refuses to run without it.`,
    "Create its folder, and let the user that runs codemode write to it.",
  );

/** `serve` cannot listen on the address of `--http` or `--metrics`, or `ui` on its port. */
export const listenFailed = (address: string, reason: string, option = "--http [HOST:]PORT"): CodemodeError =>
  new CodemodeError(
    "LISTEN_FAILED",
    1,
    reason === "EADDRINUSE" ? `${address} is in use by another process.` : `Cannot listen on ${address}: ${reason}`,
    `Choose another address: ${option}.`,
  );

/** As many programs of servers run for single clients as there may be. It ends one run, not the process. */
export const serverLimit = (serverName: string, maxProcesses: number): CodemodeError =>
  new CodemodeError(
    "SERVER_LIMIT",
    1,
    `The server "${serverName}" was not started for this client: "serve.maxServerProcesses" (${maxProcesses}) are running.`,
    'Raise "serve.maxServerProcesses", or lower "idleMs" of the servers: unused processes end after that time.',
  );

/** The URL of the store, or the key for what is kept there, cannot be used. */
export const storeInvalid = (key: "store" | "storeKey", problem: string): CodemodeError =>
  new CodemodeError(
    "STORE_INVALID",
    2,
    `"serve.${key}" ${problem}.`,
    key === "store"
      ? 'Write "postgres://USER@HOST/DATABASE", with the password as a placeholder, or leave it out: a single process needs none.'
      : "Give all replicas the same random text, for example from `openssl rand -hex 32`.",
  );

/** The store does not answer. Of the error of its client the code alone is shown: messages may quote what was sent. */
export const storeUnreachable = (place: string, error: unknown): CodemodeError =>
  noteCause(
    new CodemodeError(
      "STORE_UNREACHABLE",
      1,
      `The store ${place} cannot be used: ${reasonOf(error)}`,
      "Start it, or correct its address and credentials in the configuration.",
    ),
    error,
  );

const CODE = /^[A-Z0-9_]{1,40}$/;

function reasonOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && CODE.test(code) ? code : "it does not answer";
}

/** A bearer token of `serve` is empty, malformed or used twice. The text must not hold it. */
export const tokenInvalid = (owner: string, problem: string): CodemodeError =>
  new CodemodeError(
    "TOKEN_INVALID",
    2,
    `The token of ${owner} ${problem}.`,
    "Give each client a long random token of its own, for example from `openssl rand -hex 32`.",
  );

/** `serve --http` would be open to the network without a token. */
export const tokenNeeded = (
  host: string,
  option = "--http",
  keys = '"serve.token" or "serve.clients"',
): CodemodeError =>
  new CodemodeError(
    "TOKEN_NEEDED",
    2,
    `${option}: ${host} can be reached over the network, and no token is configured.`,
    `Set ${keys} in the configuration, or listen on 127.0.0.1.`,
  );

/** The placeholder in a token of `serve` names a variable that is not set. */
export const tokenUnset = (owner: string, variable: string): CodemodeError =>
  new CodemodeError(
    "TOKEN_UNSET",
    2,
    `The token of ${owner} needs the environment variable ${variable}, which is not set.`,
    `Set ${variable} to a long random text.`,
  );
