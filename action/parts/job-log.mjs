import { appendFileSync } from "node:fs";
import { randomUUID } from "node:crypto";

/** Writes a line to the job's log. It is the step's own: nothing of a server is in it. */
export function log(line) {
  process.stdout.write(`${line}\n`);
}

/** Writes what a program printed to the log; GitHub takes no line of it for a command to the runner. */
export function logForeign(text) {
  const token = randomUUID();
  log(`::stop-commands::${token}`);
  log(text.trimEnd());
  log(`::${token}::`);
}

/** Sets outputs of the step. Values are of one line. */
export function setOutputs(file, outputs) {
  if (!file) return;
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${String(value).replace(/[\r\n]/g, " ")}\n`);
  appendFileSync(file, lines.join(""));
}

/** Runs a step. A mistake is one line of the log, and the job fails with 2. */
export async function runStep(step) {
  try {
    process.exitCode = await step(process.env);
  } catch (error) {
    log(`::error::${String(error.message).replace(/[\r\n]+/g, " ")}`);
    process.exitCode = 2;
  }
}
