// How long an agent's client waits for the list of tools: `node bench/first-list.js [ROUNDS]`, after a build. Three real servers, locked and generated;
// each round starts a process of its own, which starts none of the servers. Prints Markdown.
import { fileURLToPath } from "node:url";
import { makeProject } from "./suite/make-project.js";
import { timeFirstList } from "./suite/time-serve-start.js";

const rounds = Number(process.argv[2] ?? 15);
const serverOf = (name, ...args) => ({
  command: process.execPath,
  args: [
    fileURLToPath(new URL(`../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url)),
    ...args,
  ],
});
const { folder, remove } = await makeProject({
  everything: serverOf("everything", "stdio"),
  files: serverOf("filesystem", "."),
  memory: serverOf("memory"),
});
try {
  const times = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timeFirstList(folder));
  const rows = [
    ["from the start to the answer of `initialize`", times.map(({ initialized }) => initialized)],
    ["from there to the answer of `tools/list`", times.map(({ initialized, listed }) => listed - initialized)],
  ];
  console.log("| what | median | fastest | slowest |\n| --- | ---: | ---: | ---: |");
  for (const [what, all] of rows) {
    const sorted = all.toSorted((left, right) => left - right);
    const cells = [Math.floor(sorted.length / 2), 0, sorted.length - 1].map((place) => Number(sorted[place]));
    console.log(`| ${String(what)} | ${cells.map((ms) => `${ms.toFixed(0)} ms`).join(" | ")} |`);
  }
} finally {
  await remove();
}
