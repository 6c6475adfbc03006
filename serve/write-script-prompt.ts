import type { JsonObject } from "../schemas/json/json.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { ServeSettings } from "../schemas/config/serve-settings.ts";
import { signatureOf } from "../engine/declarations.ts";
import { searchTools } from "../engine/search-tools.ts";
import { printUnderImports } from "./surfaces/found-tools.ts";
import { toRunToolName } from "./surfaces/run-tool.ts";

const MOST_TOOLS = 8;

/** As `prompts/list` shows it. */
export const WRITE_SCRIPT: JsonObject = {
  name: "write_script",
  title: "Write a script for a task",
  description: "How to write a good script, with the tools that fit the task.",
  arguments: [{ name: "task", description: "What the script is to do.", required: true }],
};

const RULES = `- Import only the tools that you use, from "@codemode/servers/<serverId>".
- Do all of the work in one script: loops, joins and conditions cost nothing there, each further run costs a turn.
- Start calls that do not need each other together: await Promise.all([first(…), second(…)]).
- Filter, count and sort inside; set globalThis.__codemode_result__ to the few values that the answer needs. Log summaries, never whole results.
- A tool whose type says unknown returns a string or a whole MCP result: look at one result before you rely on its shape.
- Catch an error only where the script can go on without the call: error.hint says what to change, instanceof tells the classes of "@codemode/errors" apart.
- Where no tool below fits, find others: (await searchTools("some words")).results from "@codemode/discovery" has serverId, exportName and signature.`;

/** Makes the prompt `write_script`: the result of `prompts/get`. */
export function makeWriteScriptPrompt(settings: ServeSettings): (lockfile: Lockfile, task: string) => JsonObject {
  const runTool = { run: toRunToolName(settings), search: "execute", files: "executeToolCode" }[settings.surface];
  return (lockfile, task) => {
    const tools = searchTools(lockfile, task, { limit: MOST_TOOLS });
    const signatures = tools.map(({ tool }) => signatureOf(tool));
    const found =
      tools.length === 0 ? "\nNo tool matches the words of the task." : printUnderImports(tools, signatures);
    const text = `Write a script for ${runTool} and run it. The task:\n\n${task}\n\nRules:\n${RULES}\n\nTools that may fit:\n${found}`;
    return { description: "A script for the task", messages: [{ role: "user", content: { type: "text", text } }] };
  };
}
