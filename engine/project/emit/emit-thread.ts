// A thread that emits one server after the other. What is thrown here arrives at the thread's owner as its error.
import { parentPort } from "node:worker_threads";
import { type EmissionJob, emitPart } from "./emit-changed.ts";

parentPort?.on("message", async (job: EmissionJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(await emitPart(job));
});
