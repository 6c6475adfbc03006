// Gives the tasks to a model: `npm run eval -- --model NAME`. README.md describes it.
import { parseArgs } from "node:util";
import { makeModel } from "./eval/ask-model.js";
import { evaluate } from "./eval/evaluate.js";
import { MODEL_APIS } from "./eval/model-apis.js";
import { printEvaluation } from "./eval/print-evaluation.js";
import { openTasks } from "./score/open-tasks.js";
import { readTasks } from "./score/read-tasks.js";

const HELP = `npm run eval -- --model NAME [OPTIONS]

  --api openai|anthropic   the kind of API (default: openai)
  --url URL                its base, such as http://localhost:11434/v1 (default: EVAL_BASE_URL, or the provider's)
  --task ID                one task; may be repeated (default: all)
  --tools codemode|plain   one set of tools (default: both)
  --turns N                at most so many turns in a task (default: 30)
  --record FOLDER          records each turn in a file of this folder
  --replay FOLDER          asks no endpoint: the turns are those of the folder
  --note TEXT              added to each prompt, {id} stands for the id of the task
  --json                   prints JSON
  --help                   prints this

The key is in EVAL_API_KEY, or in OPENAI_API_KEY or ANTHROPIC_API_KEY. The exit code is 1 where a task fails.
`;

const text = { type: "string" };
const { values } = parseArgs({
  options: {
    ...{ model: text, url: text, tools: text, record: text, replay: text, note: text },
    api: { type: "string", default: "openai" },
    turns: { type: "string", default: "30" },
    task: { type: "string", multiple: true },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});
const problem = findProblem();
if (values.help || problem !== undefined) {
  process.stderr.write(problem === undefined ? HELP : `${problem}\n\n${HELP}`);
  process.exit(problem === undefined ? 0 : 2);
}

const all = await readTasks();
const unknown = values.task?.find((name) => all.every(({ id }) => id !== name));
if (unknown !== undefined) {
  process.stderr.write(`There is no task ${unknown}. The tasks are: ${all.map(({ id }) => id).join(", ")}.\n`);
  process.exit(2);
}
const tasks = all.filter(({ id }) => values.task === undefined || values.task.includes(id));
const model = makeModel({
  ...{ api: values.api, model: values.model, base: values.url ?? process.env["EVAL_BASE_URL"], key: readKey() },
  cassettes: values.record ?? values.replay,
  mode: values.record === undefined ? (values.replay === undefined ? "live" : "replay") : "record",
});
const opened = await openTasks();
try {
  const toolsets = values.tools === undefined ? ["codemode", "plain"] : [values.tools];
  const rows = await evaluate(opened, { tasks, model, toolsets, maxTurns: Number(values.turns), note: values.note });
  process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : printEvaluation(rows));
  if (rows.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  await opened.close();
}

function readKey() {
  return process.env["EVAL_API_KEY"] ?? process.env[MODEL_APIS[values.api]?.key];
}

function findProblem() {
  if (values.help) return undefined;
  if (values.model === undefined) return "Name a model: --model NAME.";
  if (MODEL_APIS[values.api] === undefined) return "--api is openai or anthropic.";
  if (!["codemode", "plain", undefined].includes(values.tools)) return "--tools is codemode or plain.";
  if (!/^[1-9]\d*$/.test(values.turns)) return "--turns is a number from 1 on.";
  if (values.record !== undefined && values.replay !== undefined) return "Give --record or --replay.";
  if (values.replay === undefined && readKey() === undefined) return "Set EVAL_API_KEY to the key of the endpoint.";
  return undefined;
}
