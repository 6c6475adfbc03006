import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import type { Readable, Writable } from "node:stream";

/** Where macOS has the program that starts another one under a profile. */
export const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

/**
 * What macOS takes from a sandbox, in the language of its profiles; the last rule that fits decides. What Node needs to start differs between
 * versions of macOS, so the rest is allowed. Services of the system (`mach-lookup`) could start programs and reach the network in its place.
 */
const PROFILE = `(version 1)
(allow default)
(deny network*)
(deny file-write*)
(allow file-write* (literal "/dev/null") (literal "/dev/dtracehelper"))
(deny process-fork)
(deny process-exec*)
(allow process-exec* (literal (param "NODE")))
(deny signal)
(allow signal (target self))
(deny mach-lookup)
`;

/** Passes one byte on between the descriptors that a sandbox has its frames on. */
const ECHO =
  'const { readSync, writeSync } = require("fs"); const byte = Buffer.alloc(1); readSync(3, byte); writeSync(4, byte);';
/** A machine that is slow must not lose the layer. */
const PROBE_TIMEOUT_MS = 20_000;

/** The words that start a program of Node under the profile; `node` is the real path of the binary. */
export function toProfiled(node: string): string[] {
  return [SANDBOX_EXEC, "-D", `NODE=${node}`, "-p", PROFILE];
}

/**
 * The words that start this binary of Node under the profile, or none where it does not start with them: in another sandbox, or on a version of
 * macOS that needs what the profile denies.
 */
export async function probeProfile(node: string, toWords = toProfiled): Promise<string[]> {
  try {
    const words = toWords(realpathSync(node));
    return (await startsNode(words, node)) ? words : [];
  } catch {
    return [];
  }
}

/** Whether Node starts behind these words, and reads and writes as a sandbox does. */
function startsNode([command = "", ...args]: readonly string[], node: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args, node, "-e", ECHO], {
      env: {},
      cwd: "/",
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      timeout: PROBE_TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    const [input, output] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
    let said = "";
    output.on("data", (chunk: Buffer) => (said += chunk.toString("latin1")));
    for (const stream of [input, output]) stream.on("error", () => {});
    child.once("error", () => resolve(false));
    child.once("close", (exitCode) => resolve(exitCode === 0 && said === "x"));
    input.end("x");
  });
}
