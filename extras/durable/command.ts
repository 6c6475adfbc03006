import { resolve } from "node:path";
import { clock } from "../../engine/clock.ts";
import type { Command, CommandContext, OptionValues } from "../../cli/command.ts";
import { loadExtra, type RecordExtra } from "../../engine/extras.ts";
import { assertOutput } from "../../engine/files.ts";
import { loadConfig } from "../../engine/load-config.ts";
import type { DurableExtra, DurableRuns } from "../../engine/run/durable-extra.ts";
import type { RunOverview, Step } from "../../schemas/run/durable-run.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { describeBegin, describeState, describeSteps } from "../../schemas/run/describe-durable-run.ts";
import type { Recording } from "../../schemas/run/recording.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { KEPT_MS } from "./list-runs.ts";
import { resumeRun } from "./resume-run.ts";

/** `codemode runs`: lists the durable runs of a project, shows one, goes on with it, exports or cancels it, or removes what is over. */
export const runs: Command = async ({ args: [id], options, context }) => {
  const { output } = context;
  const [asked = "", other] = ["resume", "retry", "export", "cancel", "prune"].filter(options.has);
  if (other !== undefined) throw optionInvalid(`--${asked}`, `it cannot be combined with --${other}`);
  const goesOn = asked === "resume" || asked === "retry";
  if (asked !== "" && asked !== "prune" && id === undefined)
    throw optionInvalid(`--${asked}`, "name the run by its id");
  const { cwd, configFile, isTrusted } = context;
  const { openDurableRuns } = await loadExtra<DurableExtra>("durable");
  const opened = await openDurableRuns(await loadConfig({ cwd, isTrusted, configFile }), {});
  try {
    if (goesOn) return await resumeRun(asked, await opened.find(id as string), options, context);
    if (asked === "export") await exportRun(await opened.recording(id as string), options, context);
    else if (asked === "cancel") {
      await opened.cancel(id as string);
      output.note("Cancelled. If another process runs it, it stops there soon.");
    } else if (asked === "prune") output.note(`Removed ${countOf(await prune(opened, id), "run")}.`);
    else if (id === undefined) printList(await opened.list(), options, context);
    else printOne(await opened.find(id), await opened.steps(id), options, context);
    return 0;
  } finally {
    await opened.close();
  }
};

/** It holds what the script, its servers and persons have said: its owner alone may read it. */
async function exportRun(recording: Recording, options: OptionValues, { cwd, output }: CommandContext): Promise<void> {
  const file = options.text("export") ?? "";
  const path = resolve(cwd, file);
  await assertOutput(path, "recording", cwd);
  await (await loadExtra<RecordExtra>("record")).writeRecording(path, recording, cwd);
  output.note(
    oneLine(`Wrote ${file}, with the inputs and results of its calls. It is replayed by: codemode replay ${file}`),
  );
}

async function prune(opened: DurableRuns, id: string | undefined): Promise<number> {
  if (id === undefined) return opened.prune(clock.wall() - KEPT_MS);
  return opened.remove(id);
}

function printList(found: readonly RunOverview[], options: OptionValues, { output }: CommandContext): void {
  if (options.has("json")) output.result(JSON.stringify(found, null, 2));
  else if (found.length === 0) output.note("There are no durable runs.");
  else for (const line of found.map(describe)) output.result(line);
}

function describe(run: RunOverview): string {
  return oneLine(`${run.id}  ${run.script}  ${describeState(run, clock.wall())}  ${describeBegin(run)}`);
}

function printOne(run: RunOverview, steps: readonly Step[], options: OptionValues, { output }: CommandContext): void {
  if (options.has("json")) return output.result(JSON.stringify({ ...run, steps }, null, 2));
  output.result(describe(run));
  // Inputs and results are in `--json` alone.
  for (const line of describeSteps(steps)) output.result(oneLine(`  ${line}`));
  for (const question of run.questions) for (const line of question) output.result(oneLine(`  ${line}`));
}
