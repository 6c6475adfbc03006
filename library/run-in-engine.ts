import { randomUUID } from "node:crypto";
import type { RunRequest, Host } from "../engine/open-host.ts";
import type { RunAnswer } from "../schemas/run/answer.ts";
import { isRunKey } from "../schemas/run/run-key.ts";
import { assertSendable } from "./assert-sendable.ts";
import { holdCallbacks } from "./callbacks.ts";
import type { RunOptions } from "./engine-options.ts";
import type { openDurable } from "./engine-runs.ts";
import { runKeyInvalid, runNotDurable } from "./errors.ts";
import type { RunPartsOf } from "./run-parts.ts";

/** Whether the options ask for a durable run. */
export function isDurable({ durable }: RunOptions): boolean {
  return durable !== undefined && durable !== false;
}

/** Runs a script, durably where the options say so: then its signal cancels it for good, and the end of the engine leaves it as it is. */
export async function runInEngine(
  given: RunOptions,
  partsOf: RunPartsOf,
  common: Pick<RunRequest, "access" | "script" | "bundler" | "signal">,
  run: Host["run"],
  openRuns: () => ReturnType<typeof openDurable>,
): Promise<RunAnswer> {
  if (given.key !== undefined && !isRunKey(given.key)) throw runKeyInvalid(given.key);
  assertSendable(given.input ?? null, "input");
  const key = given.key ?? (isDurable(given) ? undefined : randomUUID());
  const { report, withFindings, ...parts } = await partsOf({ ...given, key });
  const { input = null, limits, signal, record, durable } = holdCallbacks(given, report);
  const isDryRun = given.dryRun !== undefined;
  const request = { ...common, ...parts, input, key, limits, isDryRun, record };
  if (!isDurable(given)) return withKey(withFindings(await run(request)), given.key);
  if (isDryRun || record !== undefined) throw runNotDurable();
  const settings = durable === true ? {} : durable;
  const answer = await (await openRuns()).begin({ ...request, cancel: signal, ...settings });
  return withKey(withFindings(answer), given.key);
}

function withKey(answer: RunAnswer, key: string | undefined): RunAnswer {
  return key === undefined ? answer : { ...answer, key };
}
