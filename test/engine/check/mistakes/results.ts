import { ECHO_IMPORT, FILES_IMPORT, MEMORY_IMPORT, TICKETS_IMPORT, type Mistake } from "./mistake.ts";

/** What is done with the answers of tools. */
export const MISTAKES_IN_RESULTS: readonly Mistake[] = [
  {
    title: "a property of a call that is not awaited",
    script: `${FILES_IMPORT}const text = read_text_file({ path: "a.txt" }).⟪content;`,
    hint: ['`(await read_text_file({ path: "a.txt" })).content`'],
  },
  {
    title: "a promise passed on",
    script: `${FILES_IMPORT}${ECHO_IMPORT}const text = list_directory({ path: "." });\nawait echo({ ⟪message: text });`,
    hint: ["`await text`"],
  },
  {
    title: "a promise compared",
    script: `${ECHO_IMPORT}if (⟪echo({ message: "hi" }) === "Echo: hi") console.log("same");`,
    hint: ["Put `await` before it"],
  },
  {
    title: "a promise as a condition",
    script: `${TICKETS_IMPORT}if (⟪list_tickets()) console.log("some");`,
    hint: ["`await list_tickets()`"],
  },
  {
    title: "a promise made JSON",
    script: `${MEMORY_IMPORT}console.log(JSON.stringify(⟪read_graph()));`,
    severity: "warning",
    hint: ["`await read_graph()`"],
  },
  {
    title: "an unawaited call",
    script: `${TICKETS_IMPORT}⟪close_ticket({ id: 1 });`,
    severity: "warning",
    hint: ["`await`"],
  },
  {
    title: "forEach with an async function",
    script: `${ECHO_IMPORT}["a", "b"].⟪forEach(async (message) => { await echo({ message }); });`,
    severity: "warning",
    hint: ["for (const item of items)", "Promise.all"],
  },
  {
    title: "a member of a result of which nothing is known",
    script: `${ECHO_IMPORT}const answer = await echo({ message: "hi" });\nconsole.log(answer.⟪message);`,
    severity: "warning",
    hint: ["What `echo` returns is not known", "JSON.parse(String(answer))"],
  },
  {
    title: "a list expected of an object",
    script: `${TICKETS_IMPORT}const found = await list_tickets();\nfor (const ticket of ⟪found) console.log(ticket);`,
    hint: ["`found.tickets`"],
  },
  {
    title: "text treated as an object",
    script: `${FILES_IMPORT}const { content } = await read_text_file({ path: "a.json" });\nconsole.log(content.⟪name);`,
    hint: ["`JSON.parse(content).name`"],
  },
  {
    title: "a result parsed that is an object already",
    script: `${TICKETS_IMPORT}const found = await list_tickets();\nconst data = JSON.parse(⟪found);`,
    hint: ["without `JSON.parse`"],
  },
  {
    title: "a whole MCP result parsed",
    script:
      'import type { McpResult } from "@codemode/results";\nconst answer = { content: [] } as McpResult;\nconst data = JSON.parse(⟪answer);',
    hint: ['`JSON.parse(answer.content[0].text ?? "")`'],
  },
  {
    title: "a misspelt member of a result",
    script: `${FILES_IMPORT}const file = await read_text_file({ path: "a.txt" });\nconsole.log(file.⟪contents);`,
    hint: ["`content`"],
  },
  {
    title: "a misspelt member taken out of a result",
    script: `${MEMORY_IMPORT}const { ⟪entitys } = await read_graph();`,
    hint: ["`entities`"],
  },
  {
    title: "a member of the elements read of the list",
    script: `${MEMORY_IMPORT}const { entities } = await read_graph();\nconsole.log(entities.⟪name);`,
    hint: ["entities[0].name", "map"],
  },
  {
    title: "a value that may be undefined",
    script: `${TICKETS_IMPORT}${ECHO_IMPORT}const { nextCursor } = await list_tickets();\nawait echo({ ⟪message: nextCursor });`,
    hint: ['`nextCursor ?? ""`'],
  },
  {
    title: "a member of what may be undefined",
    script: `${TICKETS_IMPORT}const { tickets } = await list_tickets();\nconst names = tickets.map((ticket) => ⟪ticket.assignee.name);`,
    hint: ["`ticket.assignee?.name`"],
  },
  {
    title: "a member of what may not be found",
    script: `${TICKETS_IMPORT}const { tickets } = await list_tickets();\nconst title = ⟪tickets.find((one) => one.id === 1).title;`,
    hint: ["?.title"],
  },
  {
    title: "an enum of a result compared with what it never is",
    script: `${TICKETS_IMPORT}const { tickets } = await list_tickets();\nconst open = tickets.filter((ticket) => ⟪ticket.status === "opened");`,
    hint: ['"open", "closed", "waiting"'],
  },
  {
    title: "a discovery result treated as a list",
    script:
      'import { searchTools } from "@codemode/discovery";\nfor (const tool of ⟪await searchTools("sum")) console.log(tool);',
    hint: [".results`"],
  },
  {
    title: "a parameter of no type",
    script: "const double = (⟪value) => value * 2;\nconsole.log(double(2));",
    severity: "info",
    hint: ["Give it a type"],
  },
  {
    title: "text as the index of an array",
    script: 'const list = ["a"];\nObject.keys(list).map((key) => list[⟪key]);',
    severity: "info",
    hint: ["`list[Number(key)]`"],
  },
  {
    title: "a property added to an empty object",
    script: "const counts = {};\ncounts.⟪total = 1;",
    severity: "info",
    hint: ["`const counts: Record<string, unknown> = {}`"],
  },
  {
    title: "a member by a misspelt key",
    script: `${MEMORY_IMPORT}const graph = await read_graph();\nconsole.log(graph[⟪"entitis"]);`,
    hint: ["`entities`"],
  },
];
