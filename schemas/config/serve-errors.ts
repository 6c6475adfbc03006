import { CodemodeError } from "../codemode-error.ts";

// The mistakes that only `codemode serve` meets. Texts must not hold values of variables or headers.

/** The secret that replicas share cannot be used. */
export const approvalKeyInvalid = (problem: string): CodemodeError =>
  new CodemodeError(
    "APPROVAL_KEY_INVALID",
    2,
    `"serve.approvalKey" ${problem}.`,
    "Give all replicas the same random text, for example from `openssl rand -hex 32`.",
  );

/** The audit log has to be written, and cannot be. */
export const auditUnwritable = (file: string): CodemodeError =>
  new CodemodeError(
    "AUDIT_UNWRITABLE",
    1,
    `The audit log ${file} cannot be written, and "audit.required" says that nothing runs without it.`,
    "Make its folder, and let the user that runs codemode write there.",
  );

/** `serve` cannot have the address of `--http`, or that of `--metrics`; or `ui` its port. */
export const listenFailed = (address: string, reason: string, option = "--http [HOST:]PORT"): CodemodeError =>
  new CodemodeError(
    "LISTEN_FAILED",
    1,
    reason === "EADDRINUSE" ? `${address} is in use by another process.` : `Cannot listen on ${address}: ${reason}`,
    `Name another one: ${option}.`,
  );

/** A bearer token of `serve` is of no use. The text must not hold it. */
export const tokenInvalid = (owner: string, problem: string): CodemodeError =>
  new CodemodeError(
    "TOKEN_INVALID",
    2,
    `The token of ${owner} ${problem}.`,
    "Give each client a long random token of its own, for example from `openssl rand -hex 32`.",
  );

/** `serve --http` would be open to the network. */
export const tokenNeeded = (
  host: string,
  option = "--http",
  keys = '"serve.token" or "serve.clients"',
): CodemodeError =>
  new CodemodeError(
    "TOKEN_NEEDED",
    2,
    `${option}: others can reach ${host}, and no token is configured.`,
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
