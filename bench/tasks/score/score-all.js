import { countTokens, countTools } from "./count-tokens.js";
import { findTypeErrors } from "./find-type-errors.js";
import { scoreMistakes } from "./score-mistakes.js";
import { listPlainTools } from "./list-plain-tools.js";
import { scoreTask } from "./score-task.js";

/** Scores tasks and mistakes one after the other, on the same servers. */
export async function scoreAll(opened, tasks) {
  const { client, engine, world } = opened;
  const { tools } = await client.listTools();
  const typeErrors = await findTypeErrors(opened, tasks);
  const scores = [];
  for (const task of tasks) {
    const score = await scoreTask(task, opened);
    scores.push(typeErrors.has(task.id) ? { ...score, typeErrors: typeErrors.get(task.id) } : score);
  }
  await world.reset();
  const plainTools = listPlainTools(engine.lockfile);
  return {
    servers: engine.lockfile.servers.size,
    tools: plainTools.length,
    lists: { plain: countTools(plainTools), codemode: countTools(tools) + countTokens(client.getInstructions() ?? "") },
    tasks: scores,
    mistakes: await scoreMistakes(opened),
  };
}
