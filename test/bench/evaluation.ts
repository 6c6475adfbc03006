import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
// @ts-expect-error -- the benchmarks are JavaScript
import { makeModel } from "../../bench/tasks/eval/ask-model.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { evaluate } from "../../bench/tasks/eval/evaluate.js";
import type { Step } from "../clients/model/decide.ts";
import { startModel } from "../clients/model/start-model.ts";
import { makeTestFolder } from "../make-test-folder.ts";

/** What `npm run eval` prints of a task. */
export interface Row {
  task: string;
  tools: string;
  turns: number;
  calls: number;
  input: number;
  failure?: string;
}

interface Task {
  id: string;
  script: string;
}

export const KEY = "sk-never-in-a-file";

/** A model on loopback that sends the reference scripts, or reads three files with plain tools, and a folder for its turns. */
export async function makeEvaluation(opened: object, tasks: readonly Task[], place: (text: string) => string) {
  const read = (path: string): Step => ({ tool: /^files_read_text_file$/, input: { path } });
  const scripts = new Map<string, readonly Step[]>(tasks.map(({ id, script }) => [id, [{ script: place(script) }]]));
  scripts.set(
    "plain",
    ["eu", "us", "asia"].map((region) => read(`config/${region}.json`)),
  );
  const endpoint = await startModel(scripts);
  const folder = await makeTestFolder();
  onTestFinished(() => endpoint.close());
  return {
    endpoint,
    readCassettes: async () => Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8"))),
    run(settings: { api: string; mode: string; toolsets: string[]; note: string }): Promise<Row[]> {
      const { api, mode, ...rest } = settings;
      const model: unknown = makeModel({
        ...{ api, mode, model: "scripted", base: `${endpoint.url}/v1`, key: KEY, cassettes: folder },
      });
      return evaluate(opened, { tasks, model, maxTurns: 10, ...rest }) as Promise<Row[]>;
    },
  };
}
