import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { CLI } from "./make-project.js";

const CLIENT = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };

/** Milliseconds from the start of `codemode serve` in a folder until it has listed its tools. */
export async function timeServeStart(folder) {
  return (await timeFirstList(folder)).listed;
}

/**
 * What a client waits for that connects to a process which has just started, in milliseconds: `initialized` from the start to the answer of
 * `initialize`, `listed` from the start to the answer of `tools/list`, which is sent after the first answer.
 */
export async function timeFirstList(folder) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [CLI, "serve"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id, method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`codemode serve ended before it answered, in ${folder}`);
      if (JSON.parse(value).id === id) return performance.now() - startedAt;
    }
  };
  const initialized = await ask(1, "initialize", CLIENT);
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const listed = await ask(2, "tools/list", {});
  child.kill("SIGTERM");
  await closed;
  return { initialized, listed };
}
