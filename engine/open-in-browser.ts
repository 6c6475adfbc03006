import { spawn } from "node:child_process";
import { windowsProgram } from "./files.ts";

/** Opens a page in the user's browser. It is named on the screen too: whether one opens is nothing to wait for or to fail on. */
export function openInBrowser({ href }: URL): void {
  spawn(openerOf(process.platform), [href], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}

/** The system's program for that, by its full path where the working folder would be searched first. */
export function openerOf(platform: NodeJS.Platform): string {
  if (platform === "win32") return windowsProgram(["explorer.exe"]);
  return platform === "darwin" ? "/usr/bin/open" : "xdg-open";
}
