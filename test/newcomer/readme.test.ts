import { readFile, rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { PageStep } from "../docs/page-steps.ts";
import { parsePage } from "../docs/parse-page.ts";
import { findLibraryProgram } from "../publishing/library-programs.ts";
import { writeFigure } from "./figures.ts";
import { followIn, makeMachineWithClone } from "./machine-with-clone.ts";
import type { Machine } from "./machine.ts";
import { NPM_PRINTS } from "./managers.ts";
import { countLines, readSteps, type, write } from "./typed-steps.ts";

let folder = "";
let machine: Machine;

beforeAll(async () => {
  ({ folder, machine } = await makeMachineWithClone());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("npx tries codemode from the registry in an empty folder, and leaves nothing there", async () => {
  const steps = [type("npx -y codemode try", "...\n...with plain tool calls...\n...\n"), type("ls -A", "")];
  expect((await followIn(machine, "empty", steps)).divergences).toEqual([]);
});

/** What a reader types in the clone: `.ci/run` types it too, and what `npm pack` makes is here. */
const IN_THE_CLONE = /npm (?:ci|start|pack)/;
/** The way to a result of one's own, without what is shown beside it. */
const SETUP = /npm install|codemode init|mkdirSync|codemode add/;
const RESULT = /codemode run first/;

test("README.md runs from top to bottom as it is written, and then docs/start.md from the step that it says", async () => {
  const readme = (await readSteps("README.md"))
    .filter((step) => !isTyped(step, IN_THE_CLONE))
    .map((step) => (isTyped(step, /npm install/) ? { ...step, shown: NPM_PRINTS } : step));
  const steps = [...readme, ...(await readBlocks()), ...(await readSteps("docs/start.md", fromScript))];
  const { divergences, seconds } = await followIn(machine, "mine", steps);
  expect(divergences).toEqual([]);
  const way = steps
    .map((step, index) => ({ step, time: seconds[index] ?? 0, pattern: index < readme.length ? SETUP : RESULT }))
    .filter(({ step, pattern }) => isTyped(step, pattern));
  const sum = way.reduce((total, { time }) => total + time, 0);
  const figure = { seconds: sum, lines: countLines(way.map(({ step }) => step)) };
  await writeFigure(inject("release").figures, { story: "npm 10 on Node 20, README.md, packed files", ...figure });
});

test("docs/openapi.md adds an API in that project", async () => {
  const document = await readFile("node_modules/@readme/oas-examples/3.0/yaml/petstore.yaml", "utf8");
  // With a login it is another way to add the same.
  const typed = (await readSteps("docs/openapi.md")).filter(
    (step) => isTyped(step, /--openapi/) && !isTyped(step, /--header/),
  );
  expect(typed).toHaveLength(1);
  const steps = [write("petstore.yaml", document), type("PATH=$PWD/node_modules/.bin:$PATH"), ...typed];
  expect((await followIn(machine, "mine", steps)).divergences).toEqual([]);
});

/** What is left of docs/start.md for a reader of README.md. */
function fromScript(page: string): string {
  return page.slice(page.indexOf("## 2. Run a script"));
}

function isTyped(step: PageStep, pattern: RegExp): boolean {
  return step.kind === "command" && pattern.test(step.command);
}

/** The blocks of README.md that a reader does not type: its script, and its program. */
async function readBlocks(): Promise<PageStep[]> {
  const readme = await readFile("README.md", "utf8");
  const script = parsePage(readme).blocks.find(({ text }) => text.includes("export default notes"))?.text ?? "";
  return [
    write("task.ts", script),
    type("npx codemode run task.ts", '...\n[\n  "- [ ] Water the plants"\n]\n'),
    write("program.mjs", findLibraryProgram(readme)),
    type("node program.mjs", "- [ ] Water the plants\n"),
    type('grep -c "codemode/start" .mcp.json', "1\n"),
  ];
}
