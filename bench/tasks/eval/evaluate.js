import { runAgent } from "./run-agent.js";
import { makeToolsets } from "./toolsets.js";

/**
 * Gives each task to a model, with each set of tools in a new world, and checks the end state.
 * @param options `note` is added to each prompt, with `{id}` for the id of the task
 */
export async function evaluate(opened, { tasks, model, toolsets: names, maxTurns, note = "" }) {
  const toolsets = await makeToolsets(opened);
  const rows = [];
  for (const task of tasks) {
    for (const name of names) rows.push(await evaluateOne(task, name));
  }
  return rows;

  async function evaluateOne(task, name) {
    const { world } = opened;
    await world.reset();
    const before = await task.look?.(world);
    const prompt = `${world.blank(world.fillIn(task.text))}${note === "" ? "" : `\n${note.replaceAll("{id}", task.id)}`}`;
    const { text, answered, ...used } = await runAgent({ model, toolset: toolsets[name], prompt, maxTurns });
    const row = { task: task.id, tools: name, ...used };
    try {
      await task.check({ result: readResult(text, answered), world, before });
      return row;
    } catch (error) {
      return { ...row, failure: error.message.split("\n")[0] };
    }
  }
}

/** The last message as JSON; where it is none, the result of the last script. */
function readResult(text, answered) {
  const json = /^\s*```(?:json)?\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text;
  for (const read of [() => JSON.parse(json), () => JSON.parse(answered).result]) {
    try {
      return read();
    } catch {
      continue;
    }
  }
  return text;
}
