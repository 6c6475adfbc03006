import { type BatchOpening, type OpenBatch, NOTHING_DONE, exitCodeOfBatch, describeWaiting } from "./open-batch.ts";
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { programOf } from "../../engine/run/program-of.ts";
import type { Invocation } from "../../cli/command.ts";
import { openProjectHere, readScriptArgument } from "../../cli/open-project.ts";
import type { BatchResult } from "./batch-result.ts";
import { makeNoJournal, openJournal, readResults } from "./journal.ts";
import { readInputs, type InputSource, type Shard } from "./read-inputs.ts";
import { type BatchSummary, tasksOfInputs } from "./run-batch.ts";
import { askYesOrNo, terminalOf } from "../../cli/print/ask-on-terminal.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { optionInvalid } from "../../schemas/errors.ts";

/** A batch of this process, whose results are printed in the order of the inputs, and whose journal is a file or none. */
export async function openInFile(opening: BatchOpening, source: InputSource): Promise<OpenBatch> {
  const { invocation, survey, project, pinned, isDryRun } = opening;
  const { context } = invocation;
  const { output } = context;
  const file = isDryRun ? undefined : chooseJournal(invocation, pinned.name, opening.shard);
  const journal =
    file === undefined
      ? makeNoJournal()
      : await openJournal(resolve(context.cwd, file), {
          ...{ program: programOf(pinned.bundle), project: project.folder, script: pinned.name },
          inputs: source.isFile ? basename(source.shown) : "-",
          mayContinue: (found) => mayContinue(found, invocation),
        });
  const print = (result: BatchResult): void => output.result(JSON.stringify(result));
  const again = (how: string): string => (file === undefined ? "" : ` Run the same command again to ${how}`);
  return {
    ...{ id: journal.batch, total: survey?.total, unit: "done", close: journal.close },
    async keepFor(engine) {
      await engine.forgetFinished(journal);
      return async (result, input, answer) => {
        await journal.add(result, input);
        await engine.forget(answer);
      };
    },
    tasks: (signal) => tasksOfInputs(readInputs(source), journal, print, signal),
    howOn: again(`continue: ${file} lists the finished inputs.`),
    async conclude(summary = NOTHING_DONE) {
      if (summary.failed === 0) await journal.remove();
      output.note(summarize(summary, again(`retry only these: ${file} lists the others as finished.`)));
      return exitCodeOfBatch(summary.failed, summary.waiting);
    },
  };
}

/** `--results` of a journal in a file: prints what it has, also while another process works with it, and runs nothing. */
export async function printResults(invocation: Invocation, { shard }: { shard: Shard | undefined }): Promise<number> {
  const { output, cwd } = invocation.context;
  const project = await openProjectHere(invocation.context);
  const script = await project.read(await readScriptArgument(invocation, "run"));
  const file = chooseJournal(invocation, "bundle" in script ? script.bundle.name : script.name, shard);
  if (file === undefined)
    throw optionInvalid("--results", "name the journal with --journal, or its inputs with --inputs");
  if (!existsSync(resolve(cwd, file)))
    throw optionInvalid("--results", `there is no journal ${file}: the batch was not begun, or is complete`);
  let done = 0;
  let failed = 0;
  for await (const result of readResults(resolve(cwd, file), project.folder)) {
    done += 1;
    if (!result.ok) failed += 1;
    output.result(JSON.stringify(result));
  }
  const failures = failed === 0 ? "" : ` ${failed} of them failed.`;
  output.note(`${countOf(done, "input")} ${done === 1 ? "is" : "are"} done.${failures}`);
  return failed === 0 ? 0 : 1;
}

/** The file that remembers the batch; undefined where it leaves no trace. Each script has a journal of its own beside the inputs. */
function chooseJournal({ options }: Invocation, script: string, shard: Shard | undefined): string | undefined {
  const [named, inputs] = [options.text("journal"), options.text("inputs")];
  if (named !== undefined || inputs === undefined || inputs === "-") return named;
  const part = shard === undefined ? "" : `.${shard.index}-of-${shard.count}`;
  return `${inputs}.${basename(script).replace(/[^A-Za-z0-9._-]/g, "_")}${part}.journal`;
}

/** What to do with results of another program: `--continue` keeps them, a person at a terminal is asked. */
async function mayContinue(found: string, { options, context }: Invocation): Promise<boolean> {
  if (options.has("continue")) return true;
  const terminal = terminalOf(context.signal);
  if (terminal === undefined) return false;
  return askYesOrNo(`${oneLine(found)} Keep them, and run the other inputs? [y/N] `, terminal);
}

function summarize({ done, failed, waiting, firstFailed }: BatchSummary, howOn: string): string {
  if (failed === 0) return `All ${done} inputs are done.`;
  const more = failed > firstFailed.length ? ` and ${failed - firstFailed.length} more` : "";
  const asked = waiting === 0 ? "" : ` ${describeWaiting(waiting)}`;
  const lines = failed === 1 ? "line" : "lines";
  return `${failed} of ${done} inputs failed: ${lines} ${firstFailed.join(", ")}${more}.${asked}${howOn}`;
}
