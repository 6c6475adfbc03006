import { type LoginRequest, logIn, logOut } from "../../engine/login.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { openInBrowser } from "../../ui/server/open-in-browser.ts";
import type { Command, Invocation } from "../command.ts";

/** `codemode login`: OAuth for a remote server, in the user's browser. */
export const login: Command = async (invocation) => {
  const { note } = invocation.context.output;
  const { name, issuer, scope } = await logIn(await toRequest(invocation), (url) => {
    note(oneLine(`Open this page to log in: ${url.href}`));
    if (process.stderr.isTTY) openInBrowser(url);
  });
  note(oneLine(`Logged in to ${name} by ${issuer}${scope === undefined ? "" : ` (${scope})`}.`));
  return 0;
};

/** `codemode logout`: forgets the tokens, and tells the authorization server so. */
export const logout: Command = async (invocation) => {
  const { name, wasLoggedIn } = await logOut(await toRequest(invocation));
  invocation.context.output.note(wasLoggedIn ? `Logged out of ${name}.` : `There was no login to ${name}.`);
  return 0;
};

async function toRequest({ args, context }: Invocation): Promise<LoginRequest> {
  return { config: await loadConfig(context), server: args[0] ?? "", signal: context.signal };
}
