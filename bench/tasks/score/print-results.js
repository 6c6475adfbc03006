/** Prints the results as Markdown. */
export function printResults({ servers, tools, lists, tasks, mistakes }) {
  const passed = tasks.filter(({ failure, typeErrors }) => failure === undefined && typeErrors === undefined);
  const cheaper = tasks.filter((task) => sum(Object.values(task.codemode)) < task.plain);
  const answered = mistakes.filter(({ missing }) => missing === undefined);
  return `# Tasks

${tasks.length} tasks over ${servers} servers with ${tools} tools, without a model: reference scripts through the run tool of \`codemode serve\`, beside the same
calls made as plain tool calls. \`npm run bench:tasks -- --write\` writes this page. Tokens are counted with o200k_base.

- ${passed.length} of ${tasks.length} reference scripts pass the type check, run, and reach the end state that the task's program checks.
- ${answered.length} of ${mistakes.length} mistakes get an answer that holds the fix.
- In front of everything stand the definitions of tools: ${print(lists.plain)} tokens of all servers, ${print(lists.codemode)} of codemode.

## Tokens

"Plain" is what all calls and their results put into the context, and "find" a search for the tools with its answer. The last three columns are
the whole context of a task: the definitions of tools and all of that. Without the definitions, ${cheaper.length} of ${tasks.length} tasks take fewer tokens than the plain calls: ${cheaper.map(({ title }) => title).join(", ")}.
Scripts save most where they repeat calls, or read much more than they return.

${printTable(
  ["task", "size", "calls", "made", "plain", "find", "script", "answer", "with plain calls", "with codemode", "less"],
  tasks.map((task) => {
    const { plain, codemode } = totalTokens(task, lists);
    const { find, script, answer } = task.codemode;
    const counts = [task.callsMade, task.plain, find, script, answer, plain, codemode].map(print);
    return [task.title, task.size, task.calls, ...counts, `${Math.round(100 * (1 - codemode / plain))} %`];
  }),
)}

## Search

${printSearch(tasks)}

${printTable(
  ["task", "tool", "by the task's text", "by words"],
  tasks.flatMap(({ title, search }) =>
    search.map(({ tool, byText, byWords }) => [title, `\`${tool}\``, byText ?? "–", byWords ?? "–"]),
  ),
)}

## Mistakes

${printTable(
  ["mistake", "answered with", "holds the fix"],
  mistakes.map(({ id, codes, missing }) => [
    id,
    codes.map((code) => `\`${code}\``).join(", ") || "–",
    missing === undefined ? "yes" : "no",
  ]),
)}
`;
}

/** Tokens of the whole context of a task. */
export function totalTokens(task, lists) {
  return { plain: lists.plain + task.plain, codemode: lists.codemode + sum(Object.values(task.codemode)) };
}

function printSearch(tasks) {
  const places = tasks.flatMap(({ search }) => search);
  const share = (key, limit) => {
    const found = places.filter((place) => place[key] !== null && place[key] <= limit).length;
    return `${found} of ${places.length}`;
  };
  return `The place of each needed tool: in a search for the whole text of its task, ${share("byText", 10)} are among the first ten; in a search for the words
that an agent uses for that tool, ${share("byWords", 1)} are first and ${share("byWords", 3)} among the first three.`;
}

function printTable(heading, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(heading), line(heading.map((_, index) => (index < 1 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function print(value) {
  return value.toLocaleString("en");
}
