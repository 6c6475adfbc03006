import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { whenDone } from "./share-in-file.ts";

/** A running `codemode serve --http`. */
export interface HttpServing {
  child: ChildProcess;
  url: URL;
  /** All lines of standard error so far. */
  lines: string[];
  /** Resolves with the exit code when the process is gone. */
  ended: Promise<number | null>;
}

/** Starts `codemode serve --http` in a project, on any free port unless one is given, and waits until it serves. */
export async function serveOverHttp(
  cwd: string,
  env: Record<string, string> = {},
  options: readonly string[] = [],
  port = 0,
): Promise<HttpServing> {
  const words = [resolve("dist/cli/main.js"), "serve", "--http", String(port), ...options];
  const child = spawn(process.execPath, words, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((settle) => child.once("close", settle));
  whenDone(async () => {
    child.kill("SIGINT");
    await ended;
  });
  const lines: string[] = [];
  const url = new Promise<URL>((settle, fail) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      const found = /serves MCP at (http:[^\s"]+\/mcp)/.exec(line)?.[1];
      if (found !== undefined) settle(new URL(found));
    });
    void ended.then((code) => fail(new Error(`it ended with ${code}: ${lines.join("\n")}`)));
  });
  return { child, url: await url, lines, ended };
}
