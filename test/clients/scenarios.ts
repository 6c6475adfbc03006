import type { Step } from "./model/decide.ts";

/** What a client is tried with; the names are those of `--scenario`. */
export const SCENARIO_NAMES = [
  "call",
  "error",
  "many",
  "long",
  "large",
  "image",
  "consent",
  "below",
  "http",
  "resources",
  "skill",
] as const;

export type ScenarioName = (typeof SCENARIO_NAMES)[number];

/** A line of the project's notes that only a script which has read them answers with. */
export const MARK = "Ada: order the new laptops";

const CALL = `import { list_directory, read_text_file } from "@codemode/servers/files";
const { content: listing } = await list_directory({ path: "notes" });
const names = listing.split("\\n").map((line) => line.replace("[FILE] ", ""));
const notes = await Promise.all(names.map((name) => read_text_file({ path: "notes/" + name })));
console.log("read " + notes.length + " notes");
export default notes.flatMap(({ content }) => content.split("\\n")).filter((line) => line.startsWith("- [ ] "));`;

const WRONG_ARGUMENT = `import { list_directory } from "@codemode/servers/files";
export default await list_directory({ folder: "notes" });`;

const MANY = `import { read_text_file } from "@codemode/servers/files";
let length = 0;
for (let count = 0; count < 400; count += 1) length += (await read_text_file({ path: "notes/monday.md" })).content.length;
export default { calls: 400, length };`;

/** 145,834 characters of JSON. */
const LARGE = `export default Array.from({ length: 4000 }, (_, id) => ({ id, name: "row number " + id }));`;

const IMAGE = `import { get_tiny_image } from "@codemode/servers/everything";
export default await get_tiny_image();`;

const CONSENT = `import { write_file } from "@codemode/servers/files";
export default await write_file({ path: "notes/new.md", content: "new" });`;

const longRun = (
  seconds: number,
): string => `import { trigger_long_running_operation } from "@codemode/servers/everything";
export default await trigger_long_running_operation({ duration: ${seconds}, steps: ${Math.ceil(seconds / 5)} });`;

/** Reads what an answer has kept, if it says under which id. */
function readKept(answers: readonly string[]): string {
  const id = /@codemode\/results\/([\w-]+)/.exec(answers.at(-1) ?? "")?.[1];
  if (id === undefined) return `export default "Nothing was kept.";`;
  return `import previous from "@codemode/results/${id}";
export default { rows: previous.length, last: previous.at(-1) };`;
}

/** The steps of each scenario that is the same for all clients. */
export function makeScripts(longSeconds: number): Map<ScenarioName, readonly Step[]> {
  const call: Step[] = [{ script: CALL }];
  return new Map<ScenarioName, readonly Step[]>([
    ["call", call],
    ["error", [{ script: WRONG_ARGUMENT }, { script: CALL }]],
    ["many", [{ script: MANY }]],
    // An answer says that the run continues; a model asks until it has the result.
    ["long", [{ script: longRun(longSeconds) }, ...Array.from({ length: 5 }, () => ({ waits: true }) as const)]],
    ["large", [{ script: LARGE }, { script: readKept }]],
    ["image", [{ script: IMAGE }]],
    ["consent", [{ script: CONSENT }]],
    ["below", call],
    ["http", call],
  ]);
}

/** What an agent with a shell does that has the skill and no entry: it reads the skill, and follows it with codemode's commands. */
export function listSkillSteps(shell: (command: string) => Step): Step[] {
  return [
    'cat "$(find . -name SKILL.md -not -path "./node_modules/*")"',
    "npx --no-install codemode search 'list a folder'",
    "npx --no-install codemode types files/list_directory",
    `cat > task.ts <<'END'\n${CALL}\nEND\nnpx --no-install codemode check task.ts`,
    "npx --no-install codemode run task.ts",
  ].map(shell);
}
