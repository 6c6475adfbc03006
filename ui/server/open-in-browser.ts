import { spawn } from "node:child_process";

/** Opens a page in the user's browser. It is named on the screen too: whether one opens is nothing to wait for or to fail on. */
export function openInBrowser({ href }: URL): void {
  const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = { darwin: ["open"], win32: ["explorer"] };
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  spawn(command, [...args, href], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}
