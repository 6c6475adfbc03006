import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { findFreePort, untilListening } from "./ports.ts";

/** Starts a Redis that keeps nothing on disk and ends with the test; gives its address. */
export async function startRedis(): Promise<string> {
  const port = await findFreePort();
  const words = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", words, { stdio: "ignore" });
  onTestFinished(async () => {
    server.kill("SIGKILL");
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  });
  await untilListening(port);
  return `redis://127.0.0.1:${port}`;
}
