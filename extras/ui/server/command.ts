import type { Command } from "../../../cli/command.ts";
import { loadOrPlanConfig } from "../../../engine/init-project.ts";
import { loadLog, type Log, logFailure } from "../../../engine/load-log.ts";
import { whenAborted } from "../../../engine/when-aborted.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { readWholeNumber } from "../../../cli/read-run-options.ts";
import { serveUi } from "./http/serve-ui.ts";
import { makeProjectDoor } from "./project-door.ts";
import { openUiProject } from "./ui-project.ts";
import { randomBytes } from "node:crypto";
import { rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { openInBrowser } from "../../../engine/open-in-browser.ts";
import { CACHE_MODE, projectCachePath, writeAtomically } from "../../../engine/files.ts";

/** `codemode ui`: a page on this machine to look at servers and tools, and to write and run scripts. */
export const ui: Command = async ({ options, context }) => {
  const { output, signal, verbose } = context;
  const port = readWholeNumber(options, "port", "port") ?? 0;
  const { config, isNew } = await loadOrPlanConfig(context);
  const openLog = (of: Config): Promise<Log> => loadLog(of, undefined, false);
  const log = await openLog(config);
  const door = await makeProjectDoor(
    { config, isNew },
    async () => {
      const now = await loadOrPlanConfig({ ...context, isTrusted: false });
      return now.isNew ? undefined : now.config;
    },
    async (found) => openUiProject(found, await openLog(found)),
  );
  const onFailure = (error: unknown): void => logFailure(error, log, verbose);
  try {
    const served = await serveUi(door.get, { port, onFailure });
    let forgetPage: (() => Promise<void>) | undefined;
    try {
      output.note(`codemode ui is at ${served.url.href}`);
      output.note("Anyone with this address can run scripts. Press Ctrl+C to stop.");
      if (config.servers.length === 0) output.note(`No server in ${config.folder} yet: the page shows how to add one.`);
      if (options.has("open")) forgetPage = await openPage(served.url, config.folder);
      await Promise.race([whenAborted(signal), door.failed()]);
      return 0;
    } finally {
      await forgetPage?.();
      await served.close();
    }
  } finally {
    await door.close();
  }
};

const OWNER_ONLY = 0o600;

/**
 * Opens the page in the user's browser. What a program is started with, every user of the machine may list: so the browser is given a file
 * that only this user can read, and that leads on to the address with its token. It is in the project, where a confined browser may read
 * too. Where none can be written nothing opens: the address is on the screen.
 *
 * @returns what takes the file away again
 */
export async function openPage(url: URL, projectFolder: string): Promise<() => Promise<void>> {
  const file = projectCachePath(projectFolder, `ui-${randomBytes(6).toString("hex")}.html`);
  if (file === undefined) return async () => undefined;
  try {
    await writeAtomically(file, printDoor(url), {
      project: projectFolder,
      folderMode: CACHE_MODE,
      mode: OWNER_ONLY,
      isFlushed: false,
    });
  } catch {
    return async () => undefined;
  }
  openInBrowser(pathToFileURL(file));
  return async () => {
    await rm(file, { force: true });
    await removeEmpty(dirname(file), projectFolder);
  };
}

/** Takes away the folders that were made for the file, up to the project: a folder without a project stays as it was. */
async function removeEmpty(folder: string, projectFolder: string): Promise<void> {
  if (folder === projectFolder) return;
  try {
    await rmdir(folder);
  } catch {
    return;
  }
  await removeEmpty(dirname(folder), projectFolder);
}

/** Nothing in the address has to be escaped: a number, and a token in base64url. */
function printDoor({ href }: URL): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${href}">
<title>codemode</title>
<a href="${href}">codemode ui</a>
`;
}
