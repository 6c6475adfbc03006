import { logIn, logOut, type ReadPasted } from "../../engine/login.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { openInBrowser } from "../../engine/open-in-browser.ts";
import { readLine } from "../print/ask-on-terminal.ts";
import type { Command } from "../command.ts";

/** `codemode login`: OAuth for a remote server, in the user's browser or in one elsewhere. */
export const loginCommand: Command = async (invocation) => {
  const { note } = invocation.context.output;
  const hasBrowser = invocation.options.has("browser");
  const showUrl = (url: URL): void => {
    note(oneLine(`Open this page to log in: ${url.href}`));
    if (hasBrowser && process.stderr.isTTY) openInBrowser(url);
  };
  const askForAddress: ReadPasted = (problem, signal) => {
    if (problem !== undefined) note(problem);
    const prompt = "Paste the address that the browser ends on, although it shows no page, or the code: ";
    return readLine(prompt, { input: process.stdin, output: process.stderr, signal });
  };
  const { args, context } = invocation;
  const readPasted = hasBrowser ? undefined : askForAddress;
  const config = await loadConfig(context);
  const { name, issuer, scope } = await logIn(config, args[0] ?? "", showUrl, readPasted, context.signal);
  note(oneLine(`Logged in to ${name} by ${issuer}${scope === undefined ? "" : ` (${scope})`}.`));
  return 0;
};

/** `codemode logout`: forgets the tokens, and tells the authorization server so. */
export const logoutCommand: Command = async ({ args, context }) => {
  const { name, wasLoggedIn } = await logOut(await loadConfig(context), args[0] ?? "", context.signal);
  context.output.note(wasLoggedIn ? `Logged out of ${name}.` : `There was no login to ${name}.`);
  return 0;
};
