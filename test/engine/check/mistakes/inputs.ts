import { ECHO_IMPORT, FILES_IMPORT, MEMORY_IMPORT, TICKETS_IMPORT, type Mistake } from "./mistake.ts";

/** What tools are called with. */
export const MISTAKES_IN_INPUTS: readonly Mistake[] = [
  {
    title: "a misspelt required argument",
    script: `${ECHO_IMPORT}await echo({ ⟪mesage: "hi" });`,
    hint: ["Write `message` instead of `mesage`", "{ message: string }"],
  },
  {
    title: "another word for the only argument",
    script: `${FILES_IMPORT}await read_text_file({ ⟪filename: "notes.txt" });`,
    hint: ["Write `path` instead of `filename`"],
  },
  {
    title: "a missing argument",
    script: `${ECHO_IMPORT}await get_sum(⟪{ a: 1 });`,
    hint: ["Add `b: number`", "{ a: number; b: number }"],
  },
  {
    title: "a missing member of a nested object",
    script: `${MEMORY_IMPORT}await create_entities({ entities: [⟪{ name: "Ada", entityType: "person" }] });`,
    hint: ["Add `observations: string[]`"],
  },
  {
    title: "a misspelt member of a nested object",
    script: `${TICKETS_IMPORT}await create_ticket({ title: "a", priority: "low", assignee: { ⟪nmae: "Ada" } });`,
    hint: ["Write `name` instead of `nmae`"],
  },
  {
    title: "a misspelt optional argument, which the server would take silently",
    script: `${TICKETS_IMPORT}await list_tickets({ ⟪maxResult: 5 });`,
    hint: ["Write `maxResults` instead of `maxResult`"],
  },
  {
    title: "a misspelt optional member of a nested object",
    script: `${TICKETS_IMPORT}await create_ticket({ title: "a", priority: "low", assignee: { name: "Ada", ⟪e_mial: "a@b" } });`,
    hint: ["Write `email` instead of `e_mial`"],
  },
  {
    title: "an argument that a closed schema does not have",
    script: `${TICKETS_IMPORT}await close_ticket({ id: 1, ⟪reasons: "done" });`,
    hint: ["Write `reason` instead of `reasons`"],
  },
  {
    title: "a string for a number",
    script: `${ECHO_IMPORT}await get_sum({ ⟪a: "1", b: 2 });`,
    hint: ["without quotes: `1`"],
  },
  {
    title: "a string variable for a number",
    script: `${ECHO_IMPORT}const [first] = "1 2".split(" ");\nawait get_sum({ ⟪a: first, b: 2 });`,
    hint: ["`Number(first)`"],
  },
  {
    title: "a number for a string",
    script: `${ECHO_IMPORT}await echo({ ⟪message: 42 });`,
    hint: ['`"42"`'],
  },
  {
    title: "an enum value that is near to one",
    script: `${ECHO_IMPORT}await get_annotated_message({ ⟪messageType: "succes" });`,
    hint: ['Did you mean "success"? Allowed: "success", '],
  },
  {
    title: "an enum value that is near to none",
    script: `${TICKETS_IMPORT}await create_ticket({ title: "a", ⟪priority: "P1" });`,
    hint: ['"low", "medium", "high"'],
  },
  {
    title: "a literal widened to string",
    script: `${TICKETS_IMPORT}const input = { title: "a", priority: "low" };\nawait create_ticket(⟪input);`,
    hint: ['`priority`: Keep its literal type: `"low" as const`'],
  },
  {
    title: "a member that is further inside",
    script: `${TICKETS_IMPORT}const { tickets } = await list_tickets();\nconsole.log(tickets.map((ticket) => ticket.⟪email));`,
    hint: ["assignee?.email"],
  },
  {
    title: "arguments by position",
    script: `${ECHO_IMPORT}await get_sum(1, ⟪2);`,
    hint: ["`get_sum({ a: 1, b: 2 })`"],
  },
  {
    title: "the only argument by position",
    script: `${FILES_IMPORT}await read_text_file(⟪"notes.txt");`,
    hint: ['`read_text_file({ path: "notes.txt" })`'],
  },
  {
    title: "a call without the input",
    script: `${ECHO_IMPORT}await ⟪echo();`,
    hint: ["`echo({ message: string })`"],
  },
  {
    title: "an array for the input",
    script: `${MEMORY_IMPORT}await create_entities(⟪[{ name: "Ada", entityType: "person", observations: [] }]);`,
    hint: ["A tool takes one object", 'create_entities({ entities: [{ name: "Ada"'],
  },
  {
    title: "one value for an array",
    script: `${FILES_IMPORT}await read_multiple_files({ ⟪paths: "a.txt" });`,
    hint: ['`["a.txt"]`'],
  },
  {
    title: "an array for one object",
    script: `${TICKETS_IMPORT}await create_ticket({ title: "a", priority: "low", ⟪assignee: ["Ada"] });`,
    hint: ["one object instead of an array", "name: string"],
  },
  {
    title: "a Date for text",
    script: `${TICKETS_IMPORT}await create_ticket({ title: "a", priority: "low", ⟪dueDate: new Date(0) });`,
    hint: ["`(new Date(0)).toISOString()`"],
  },
  {
    title: "null for an optional argument",
    script: `${TICKETS_IMPORT}await create_ticket({ title: "a", priority: "low", ⟪dueDate: null });`,
    hint: ["Leave the property out"],
  },
];
