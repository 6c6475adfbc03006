import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { endServer, startOnFreePort } from "./ports.ts";

/** Starts a Redis for the queue of workers, which keeps nothing on disk and ends with the test; gives its address. */
export async function startRedis(): Promise<string> {
  const words = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const { port, server } = await startOnFreePort((free) =>
    spawn("redis-server", ["--port", String(free), ...words], { stdio: "ignore" }),
  );
  onTestFinished(() => endServer(server, "SIGKILL"));
  return `redis://127.0.0.1:${port}`;
}
