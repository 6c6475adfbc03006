import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { openInBrowser } from "../../../engine/open-in-browser.ts";
import { projectCachePath, writeAtomically } from "../../../engine/files.ts";

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
    await writeAtomically(file, printDoor(url), { project: projectFolder, mode: OWNER_ONLY, isFlushed: false });
  } catch {
    return async () => undefined;
  }
  openInBrowser(pathToFileURL(file));
  return () => rm(file, { force: true });
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
