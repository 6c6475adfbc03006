import type { Step } from "./model/decide.ts";

/** What a client is tried with; the names are those of `--scenario`. */
export const SCENARIO_NAMES = [
  "call",
  "error",
  "many",
  "long",
  "large",
  "image",
  "approval",
  "below",
  "http",
  "resources",
  "skill",
  "own-form",
  "approve-call",
  "durable-call",
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

const APPROVAL = `import { write_file } from "@codemode/servers/files";
export default await write_file({ path: "notes/new.md", content: "new" });`;

const longRun = (
  seconds: number,
): string => `import { trigger_long_running_operation } from "@codemode/servers/everything";
export default await trigger_long_running_operation({ duration: ${seconds}, steps: ${Math.ceil(seconds / 5)} });`;

/** What the person says who refuses a call. */
export const REASON = "Grace keeps that folder";

/** Three calls side by side, each of which needs a person: what became of them, and which folders there are afterwards. */
const THREE_CALLS = `import { create_directory, list_directory } from "@codemode/servers/files";
import { changedCalls } from "@codemode/results";
const make = (path: string): Promise<string> =>
  create_directory({ path }).then(({ content }) => content, (error) => error.name + ", " + error.reason);
const answers = await Promise.all(["notes/allowed", "notes/refused", "notes/wrong"].map(make));
const changed = changedCalls().map((call) => JSON.stringify(call).replaceAll('"', ""));
const { content } = await list_directory({ path: "notes" });
export default { answers, changed, folders: content.split("\\n").filter((line) => line.startsWith("[DIR]")) };`;

/** A call that is answered, and one that waits for a person, who comes when the process of the run has ended. */
const ONE_CALL = `import { create_directory, list_directory } from "@codemode/servers/files";
const { content: before } = await list_directory({ path: "notes" });
const { content: answer } = await create_directory({ path: "notes/later" });
const { content: after } = await list_directory({ path: "notes" });
export default [answer, "before: " + before.includes("later"), "after: " + after.includes("later")];`;

/** How a client answers its own form, where no person sits at it. */
const OWN_FORM = `import { create_directory } from "@codemode/servers/files";
export default await create_directory({ path: "notes/unseen" }).then(() => "made", (error) => error.name + ": " + error.message);`;

/** The script of the second start of a client in the trial `durable-call`, whose prompt has the runId. */
export const GO_ON = "go-on";

/** Reads what an answer has kept, if it says under which id. */
function readKept(answers: readonly string[]): string {
  const id = /@codemode\/results\/([\w-]+)/.exec(answers.at(-1) ?? "")?.[1];
  if (id === undefined) return `export default "Nothing was kept.";`;
  return `import previous from "@codemode/results/${id}";
export default { rows: previous.length, last: previous.at(-1) };`;
}

/** The steps of each scenario that is the same for all clients. */
export function makeScripts(longSeconds: number): Map<ScenarioName | typeof GO_ON, readonly Step[]> {
  const call: Step[] = [{ script: CALL }];
  // An answer says that the run continues; a model asks until it has the result.
  const waits: Step[] = Array.from({ length: 5 }, () => ({ waits: true }));
  return new Map<ScenarioName | typeof GO_ON, readonly Step[]>([
    ["call", call],
    ["error", [{ script: WRONG_ARGUMENT }, { script: CALL }]],
    ["many", [{ script: MANY }]],
    ["long", [{ script: longRun(longSeconds) }, ...waits]],
    ["large", [{ script: LARGE }, { script: readKept }]],
    ["image", [{ script: IMAGE }]],
    ["approval", [{ script: APPROVAL }]],
    ["below", call],
    ["http", call],
    ["own-form", [{ script: OWN_FORM }]],
    ["approve-call", [{ script: THREE_CALLS }, ...waits]],
    ["durable-call", [{ script: ONE_CALL }]],
    [GO_ON, waits],
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
