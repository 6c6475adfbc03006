import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { assertTrusted } from "../../runtime/host/trust/assert-trusted.ts";
import { resolveTarget } from "../../runtime/host/resolve-target.ts";
import { optionInvalid, serverUnavailable } from "../../schemas/errors.ts";
import type { Command, Invocation } from "../command.ts";
import { openInBrowser } from "../../ui/server/open-in-browser.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { findServer } from "../../engine/project/config/find-server.ts";

/** `codemode login`: OAuth for a remote server, in the user's browser. */
export const login: Command = async (invocation) => {
  const target = await findRemote(invocation, { isReached: true });
  const { note } = invocation.context.output;
  const oauth = await import("../../runtime/host/oauth/login.ts");
  const openUrl = (url: URL): void => {
    note(oneLine(`Open this page to log in: ${url.href}`));
    if (process.stderr.isTTY) openInBrowser(url);
  };
  const { issuer, scope } = await explained(
    target,
    oauth.login(target, { openUrl, signal: invocation.context.signal }),
  );
  note(oneLine(`Logged in to ${target.name} by ${issuer}${scope === undefined ? "" : ` (${scope})`}.`));
  return 0;
};

/** `codemode logout`: forgets the tokens, and tells the authorization server so. */
export const logout: Command = async (invocation) => {
  const target = await findRemote(invocation, { isReached: false });
  const oauth = await import("../../runtime/host/oauth/logout.ts");
  const wasLoggedIn = await explained(target, oauth.logout(target, { signal: invocation.context.signal }));
  invocation.context.output.note(
    wasLoggedIn ? `Logged out of ${target.name}.` : `There was no login to ${target.name}.`,
  );
  return 0;
};

/** A logout speaks with the authorization server of the login, and with nothing that the configuration names. */
async function findRemote({ args, context }: Invocation, { isReached }: { isReached: boolean }): Promise<HttpTarget> {
  const config = await loadConfig(context);
  const server = findServer(config, args[0] ?? "");
  if (isReached) assertTrusted(config, server.id);
  const target = resolveTarget(server, { folder: config.folder });
  if (target.transport === "stdio") throw optionInvalid(`server "${server.name}"`, "only remote servers have a login");
  return target;
}

async function explained<Value>({ name }: HttpTarget, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ConnectionError ? serverUnavailable(name, error.message, error.hint) : error;
  }
}
