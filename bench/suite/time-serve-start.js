import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { CLI } from "./make-project.js";

const CLIENT = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };

/** Milliseconds from the start of `codemode serve` in a folder until it has listed its tools. */
export async function timeServeStart(folder) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [CLI, "serve"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const answer = async (id) => {
    for await (const line of lines) if (JSON.parse(line).id === id) return;
    throw new Error(`codemode serve ended before it answered, in ${folder}`);
  };
  send({ id: 1, method: "initialize", params: CLIENT });
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/list" });
  await answer(2);
  const took = performance.now() - startedAt;
  child.kill("SIGTERM");
  await closed;
  return took;
}
