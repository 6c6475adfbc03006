import { type BatchOpening, type OpenBatch, NOTHING_DONE, exitCodeOfBatch, describeWaiting } from "./open-batch.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import { programOf } from "../../engine/run/program-of.ts";
import { batchNeedsStore } from "./batch-errors.ts";
import { readInputs } from "./read-inputs.ts";
import { tasksOfClaims } from "./run-batch.ts";
import { readLimits } from "../../cli/read-run-options.ts";
import { type DurableExtra, loadExtra } from "../../engine/extras.ts";
import { loadConfig } from "../../engine/load-config.ts";

/**
 * A batch of `serve.store`, which a process enters that has its inputs, and of which it claims inputs until the batch is finished, as any number of such
 * processes do.
 */
export async function openInStore(opening: BatchOpening): Promise<OpenBatch> {
  const { invocation, source, survey, project, pinned, concurrency, isResults } = opening;
  const { options, context } = invocation;
  const { openBatch } = await loadExtra<DurableExtra>("durable");
  const inputs = await openBatch(await loadConfig(context), {
    name: options.text("batch") ?? "",
    program: integrityOf([programOf(pinned.bundle), { ...project.limits, ...readLimits(options) }]),
    isEntering: source !== undefined,
  });
  if (inputs === undefined) throw batchNeedsStore();
  return {
    ...{ id: inputs.batch, unit: "done by this process", close: inputs.close },
    tasks: (signal) => tasksOfClaims(inputs, concurrency, signal),
    results: isResults ? inputs.results() : undefined,
    enter: source && (() => inputs.enterInputs(readInputs(source), survey?.digest)),
    async keepFor() {
      return async (result, _, { runId }) => {
        const { line, ok } = result;
        // What another process has claimed since is its own, and so is the durable run of it.
        await inputs.finishInput({ line, hasFailed: !ok, result: JSON.stringify(result), runId });
      };
    },
    howOn: " Other processes run the inputs that are left, or this command does when it is run again.",
    async conclude({ waiting } = NOTHING_DONE) {
      if (waiting > 0) context.output.note(describeWaiting(waiting));
      const { total, done, failed } = await inputs.stateOf();
      const isComplete = done === total;
      const failures =
        failed === 0 ? "" : ` ${failed} of them failed: --results lists them, and --inputs runs them again.`;
      const isWell = isComplete && failed === 0;
      const all = `${done} of ${total ?? "so far unknown"} inputs are done.${failures}`;
      context.output.note(isWell ? `All ${done} inputs are done.` : all);
      return isComplete ? exitCodeOfBatch(failed, waiting) : 1;
    },
  };
}
