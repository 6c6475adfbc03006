import { ownValue, type JsonObject } from "../schemas/json/json.ts";
import type { NamedScript } from "../schemas/config/named-scripts.ts";
import type { ServeSettings } from "../schemas/config/serve-settings.ts";
import type { SurfaceKind } from "../schemas/config/config-file.ts";
import { fitToClient } from "./surfaces/fit-to-client.ts";
import { withDirectTools, nameScriptTools, withScriptTools } from "./surfaces/added-tools.ts";
import type { ServedView, Surface } from "./surface.ts";
import { listSkill, SKILL_URI, skillText } from "../engine/skill.ts";
import { makeFilesSurface } from "./surfaces/files-surface.ts";
import { RUN_ALIASES, toRunToolName, makeRunSurface } from "./surfaces/run-tool.ts";
import { makeSearchSurface, printUnderImports } from "./surfaces/search-surface.ts";
import type { Lockfile, LockedServer } from "../schemas/lock/lockfile.ts";
import { findModule } from "../schemas/lock/operations.ts";
import { declarationsOfServer, declarationsOfTool, signatureOf } from "../engine/declarations.ts";
import { modulesInOrder } from "./servers-in-order.ts";
import { searchLockedTools } from "../engine/search-tools.ts";

const SURFACES: Record<SurfaceKind, (view: ServedView, settings: ServeSettings) => Surface> = {
  run: makeRunSurface,
  search: makeSearchSurface,
  files: makeFilesSurface,
};

/** Names of tools that belong to a surface. */
const OWN_NAMES = ["search", "execute", "listToolFiles", "readToolFile", "getToolDocs", "executeToolCode"];

/** Presents a view to an agent, as the settings say; `scripts` may be tools too. Nothing is computed before it is asked for. */
export function present(view: ServedView, settings: ServeSettings, scripts: Iterable<NamedScript> = []) {
  const taken = new Set([
    ...RUN_ALIASES,
    ...OWN_NAMES,
    ...(settings.toolName === undefined ? [] : [settings.toolName]),
  ]);
  const scriptTools = nameScriptTools(scripts, taken);
  const own = SURFACES[settings.surface](view, settings);
  const surface = withScriptTools(withDirectTools(own, view, settings.direct, [...taken]), view, scriptTools);
  const writeScript = makeWriteScriptPrompt(settings);
  return {
    surface: withLatest(fitToClient(surface), view),
    /** What is locked, as this client sees it. */
    lockfile: (): Lockfile => view.lockfile(),
    /** As `resources/list` shows them: the declarations of each server, and the skill. */
    listResources: (): JsonObject[] => [...listTypeResources(view.lockfile()), listSkill(view.lockfile()).resource],
    /** As `resources/templates/list` shows them. */
    listResourceTemplates: listTypeTemplates,
    /** The contents of `resources/read`; undefined where there is no such resource. */
    readResource: async (uri: string): Promise<JsonObject[] | undefined> =>
      // Clients without the extension for skills see the skill as a resource.
      uri === SKILL_URI
        ? [{ uri, mimeType: "text/markdown", text: skillText(view.lockfile()) }]
        : readTypeResource(view.lockfile(), uri),
    listPrompts: (): JsonObject[] => [WRITE_SCRIPT],
    /** The result of `prompts/get`; undefined where there is no such prompt. */
    async getPrompt(name: string, input: Record<string, string>): Promise<JsonObject | undefined> {
      if (name !== WRITE_SCRIPT["name"]) return undefined;
      const task = ownValue(input, "task");
      return writeScript(view.lockfile(), typeof task === "string" ? task : "");
    },
  };
}

/** Each list shows what was learned of results until then. */
function withLatest(surface: Surface, view: ServedView): Surface {
  return {
    ...surface,
    async listTools(client) {
      await view.refresh();
      return surface.listTools(client);
    },
  };
}

/** What an agent meets: the tools, and what says how to use them. One for each view. */
export type Presentation = ReturnType<typeof present>;

const PREFIX = "codemode://types/";
const MIME_TYPE = "text/typescript";

/** The declarations of each server as MCP resources. */
function listTypeResources(lockfile: Lockfile): JsonObject[] {
  return modulesInOrder(lockfile).map(({ id, tools }) => ({
    uri: `${PREFIX}${id}`,
    name: `${id}.d.ts`,
    title: `Types of ${id}`,
    description: `TypeScript declarations of @codemode/servers/${id}: ${tools.length} ${tools.length === 1 ? "tool" : "tools"}.`,
    mimeType: MIME_TYPE,
  }));
}

/** The template by which the declarations of single tools are read. */
function listTypeTemplates(): JsonObject[] {
  return [
    {
      uriTemplate: `${PREFIX}{serverId}/{toolName}`,
      name: "tool.d.ts",
      title: "Types of one tool",
      description: "TypeScript declarations of one tool.",
      mimeType: MIME_TYPE,
    },
  ];
}

/** The declarations that a URI names; undefined where it names none that may be seen. */
async function readTypeResource(lockfile: Lockfile, uri: string): Promise<JsonObject[] | undefined> {
  const path = parseUri(uri);
  const found = path === undefined ? undefined : findModule(lockfile, path);
  if (found === undefined) return undefined;
  const { module, rest } = found;
  const text = rest === undefined ? await declarationsOfServer(module) : await readTool(module, rest);
  return text === undefined ? undefined : [{ uri, mimeType: MIME_TYPE, text }];
}

function readTool(server: LockedServer, name: string): Promise<string> | undefined {
  const tool =
    server.tools.find((entry) => entry.name === name) ?? server.tools.find(({ exportName }) => exportName === name);
  return tool === undefined ? undefined : declarationsOfTool(server, tool);
}

/** The id of a module, and the name of a tool where there is one; names of tools may hold slashes. */
function parseUri(uri: string): string | undefined {
  if (!uri.startsWith(PREFIX)) return undefined;
  try {
    return decodeURIComponent(uri.slice(PREFIX.length));
  } catch {
    return undefined;
  }
}

const MOST_TOOLS = 8;

/** As `prompts/list` shows it. */
const WRITE_SCRIPT: JsonObject = {
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
function makeWriteScriptPrompt(settings: ServeSettings): (lockfile: Lockfile, task: string) => JsonObject {
  const runTool = { run: toRunToolName(settings), search: "execute", files: "executeToolCode" }[settings.surface];
  return (lockfile, task) => {
    const tools = searchLockedTools(lockfile, task, { limit: MOST_TOOLS });
    const signatures = tools.map(({ tool }) => signatureOf(tool));
    const found =
      tools.length === 0 ? "\nNo tool matches the words of the task." : printUnderImports(tools, signatures);
    const text = `Write a script for ${runTool} and run it. The task:\n\n${task}\n\nRules:\n${RULES}\n\nTools that may fit:\n${found}`;
    return { description: "A script for the task", messages: [{ role: "user", content: { type: "text", text } }] };
  };
}
