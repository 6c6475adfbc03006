import { totalTokens } from "../score/print-results.js";

/** The tasks that docs/gallery.md shows. */
export const SHOWN = [
  "log-triage",
  "dashboard",
  "find-commit",
  "catalogue-pages",
  "sum-invoices",
  "merge-duplicates",
  "order-by-form",
  "branch-audit",
  "hotfix",
  "shipment",
];

/** The one of them that the page shows with its script; of the others it links to the file. */
const WITH_SCRIPT = SHOWN[0];

/** Prints docs/gallery.md: ten tasks with script, picture of the report and tokens, as the results have them. */
export function printGallery(tasks, { lists, tasks: scores }) {
  const shown = SHOWN.map((id) => {
    const score = scores.find((entry) => entry.id === id);
    return { ...tasks.find((task) => task.id === id), score, total: totalTokens(score, lists) };
  });
  return `# Ten tasks

What an agent is asked, the time line of a script that does it, and the tokens that it takes beside those of the same calls as plain tool calls. These are ten of the
[24 tasks](../bench/tasks/RESULTS.md) that codemode is [measured with](../bench/tasks/README.md); \`npm run bench:tasks\` writes this page.
The servers are real: a SQLite database, files, git, a browser, and a knowledge graph, ${print(lists.plain)} tokens of definitions together; codemode's own tool has ${print(lists.codemode)}.

| task | calls | plain tool calls | codemode | of that the script |
| --- | ---: | ---: | ---: | ---: |
${shown.map(printRow).join("\n")}

Both columns are tokens of the whole context: definitions of tools, calls or script, and what comes back. Where a client loads definitions only when it needs them, look at the calls alone:
a few small calls are cheaper without a script.

${shown.map(printTask).join("\n")}`;
}

function printRow({ id, title, score, total }) {
  const script = `[${print(score.codemode.script)}](../bench/tasks/set/${id}.ts)`;
  return `| [${title}](#${toAnchor(title)}) | ${score.callsMade} | ${print(total.plain)} | ${print(total.codemode)} | ${script} |`;
}

function printTask({ id, title, text, script }) {
  return `## ${title}

> ${showPlaces(id === WITH_SCRIPT ? text : toBeginning(text))}

![Time line of its calls, by server](images/tasks/${id}.png)
${id === WITH_SCRIPT ? printScript(script) : ""}`;
}

function printScript(script) {
  return `
<!-- unchecked: its servers are those of the tasks, whose test checks its types and runs it -->

\`\`\`ts
${showPlaces(script).trim()}
\`\`\`
`;
}

/** The first sentence of a task: its file has all of it. */
function toBeginning(text) {
  const [first] = text.split(/(?<=[.:]) /);
  return first === text ? text : `${first} …`;
}

/** A reader sees the places that a model sees. */
function showPlaces(text) {
  return text.replaceAll("{repo}", "/workshop/repo").replaceAll("{site}", "http://127.0.0.1:8080");
}

function toAnchor(title) {
  return title.toLowerCase().replaceAll(" ", "-");
}

function print(value) {
  return value.toLocaleString("en");
}
