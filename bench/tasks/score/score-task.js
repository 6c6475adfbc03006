import { blankTimes, countTokens } from "./count-tokens.js";
import { rankTools } from "./rank-tools.js";
import { runScript } from "./run-script.js";

/** An agent looks the tools up first, by the words that the task gives for each. */
const printSearch = (tools) => `import { searchTools } from "@codemode/discovery";
const words = ${JSON.stringify([...new Set(Object.values(tools))])};
const found = await Promise.all(words.map((word) => searchTools(word, { limit: 2 })));
export default [...new Set(found.flatMap(({ results }) => results.map((tool) => tool.serverId + ": " + tool.signature)))];`;

/**
 * Runs the reference script of a task in a new world and looks at the end state.
 * @returns what failed, the tokens of the run beside those of the same calls made as plain tool calls, and the places of its tools in searches
 */
export async function scoreTask(task, opened) {
  const { world, calls, engine } = opened;
  await world.reset();
  const before = await task.look?.(world);
  const search = printSearch(task.tools);
  const found = await runScript(opened, search);
  calls.take();
  const { answer, text } = await runScript(opened, task.script);
  const made = calls.take();
  const failure = await findFailure(task, answer, made, { world, before });
  const count = (value) =>
    countTokens(blankTimes(world.blank(typeof value === "string" ? value : JSON.stringify(value))));
  return {
    id: task.id,
    title: task.title,
    size: task.size,
    calls: task.calls,
    ...(failure === undefined ? {} : { failure }),
    callsMade: made.length,
    plain: made.reduce(
      (sum, call) => sum + count({ name: call.tool, arguments: call.input }) + countResult(call, count),
      0,
    ),
    codemode: {
      find: countTokens(search) + countTokens(found.text),
      script: countTokens(task.script),
      answer: countTokens(text),
    },
    search: rankTools(engine.lockfile, task),
  };
}

async function findFailure(task, answer, made, state) {
  const errors = answer.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return errors.map(({ message }) => message).join("; ");
  const used = new Set(made.map(({ tool }) => tool));
  const unused = Object.keys(task.tools).filter((tool) => !used.has(tool));
  if (unused.length > 0 || used.size > Object.keys(task.tools).length)
    return `other tools were called: ${[...used].join(", ")}`;
  try {
    await task.check({ result: answer.result, ...state });
    return undefined;
  } catch (error) {
    return error.message;
  }
}

/** Of a result a model reads the blocks. */
function countResult({ result }, count) {
  return (result?.content ?? []).reduce((sum, block) => sum + count(block.type === "text" ? block.text : block), 0);
}
