#!/usr/bin/env node
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { HELP, readCommandLine } from "./command-line.ts";
import { logInAtApi } from "./oauth/log-in.ts";
import { OpenApiError } from "./openapi-error.ts";
import { findReach } from "./request/address-guard.ts";
import { openApi, type OpenApiServer } from "./open-api.ts";
import type { OpenApiServerOptions } from "./server-options.ts";

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  // A mistake of this program shows its stack; one of the user is two lines.
  const text =
    error instanceof OpenApiError ? `error: ${error.message}\nhint: ${error.hint}` : String((error as Error).stack);
  process.stderr.write(`${text}\n`);
  return error instanceof OpenApiError ? 2 : 1;
});

async function run(words: string[]): Promise<number> {
  const line = readCommandLine(words);
  if (line.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (line.login !== undefined) return logInHere(line.document, line.login, line.options, line.loginPort);
  const api = await openApi(line.document, { ...line.options, env: process.env });
  if (line.list) {
    process.stdout.write(
      api.tools.map(({ name, description = "" }) => `${name}\t${description.split("\n").at(-1)}\n`).join(""),
    );
    return 0;
  }
  if (line.describe) {
    const text = `${JSON.stringify(await describe(api))}\n`;
    await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
    // A name that is still being resolved would hold the process up.
    return process.exit(0);
  }
  const unset = Object.entries(api.variables).flatMap(([name, isSet]) => (isSet ? [] : [name]));
  const logins = unset.length > 0 ? `; logins without a value: ${unset.join(", ")}` : "";
  for (const text of api.leftOut) process.stderr.write(`warning: an operation is left out: ${text}\n`);
  process.stderr.write(`${api.tools.length} operations of ${line.document}${logins}\n`);
  await new Promise<void>((resolve) => {
    const handle = serveStdio(api.makeServer);
    process.stdin.once("end", resolve).once("close", resolve);
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => void handle.close().finally(resolve));
  });
  return 0;
}

/** What a configuration is written from; `reach` and `documentReach` say how far the API and its document are. */
async function describe(api: OpenApiServer): Promise<object> {
  const { tools, origin, base, address, logins, digest, serverVariables, leftOut, loginArguments } = api;
  const reachOf = async (url: URL | undefined) => (url === undefined ? undefined : await findReach(url.hostname));
  const [reach, documentReach] = await Promise.all([reachOf(base), reachOf(address)]);
  const results = tools.filter(({ outputSchema }) => outputSchema !== undefined).length;
  return {
    ...{ operations: tools.length, results, origin, logins, digest },
    ...{ base: base?.href.replace(/\/$/, ""), reach, documentReach, serverVariables, leftOut, loginArguments },
  };
}

/** The token alone is on standard output, for `export VARIABLE="$(…)"`; nothing where it went into a file. */
async function logInHere(
  document: string,
  scheme: string,
  options: OpenApiServerOptions,
  port: number | undefined,
): Promise<number> {
  const say = (line: string): unknown => process.stderr.write(`${line}\n`);
  const loggedIn = await logInAtApi(document, scheme, { ...options, env: process.env }, say, port);
  const { variable, value, expiresIn, isFile = false } = loggedIn;
  if (isFile) {
    say(`The refresh token is in ${value}, which the server reads and renews while ${variable} names it.`);
    return 0;
  }
  const isShort = !variable.endsWith("_REFRESH_TOKEN");
  const life = expiresIn === undefined ? "" : `, which ends in ${expiresIn} seconds`;
  say(`Set ${variable} to the ${isShort ? `access token${life}; the server gave no refresh token` : "refresh token"}:`);
  process.stdout.write(`${value}\n`);
  return 0;
}
