import type { JsonObject } from "../../schemas/json/json.ts";
import type { ServeSettings } from "../../schemas/config/serve-settings.ts";
import type { ServedView, Surface } from "../surface.ts";
import {
  answerWithText,
  readOptionalCount,
  readOptionalText,
  textArgument,
  textResult,
  CallProblem,
  serverOfArgument,
  findTool,
} from "./tool-arguments.ts";
import { callRunTool, isRunTool, makeRunToolDefinition, SHOWN_AT_ONCE } from "./run-tool.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { declarationsOfTool, exampleInputOf, signatureOf } from "../../engine/declarations.ts";
import { printValue } from "../../schemas/text/print-value.ts";
import { byCodeUnits } from "../../schemas/json/canonical-json.ts";
import { findModule } from "../../schemas/lock/operations.ts";
import { countTools, modulesInOrder } from "../servers-in-order.ts";

const FINDING = "Read the signatures of a server's tools with readToolFile before you write code.";

const LIST: JsonObject = {
  name: "listToolFiles",
  title: "List tool files",
  description:
    "Lists the virtual declaration files of all servers, or of one. First step: look here, then readToolFile.",
  inputSchema: {
    type: "object",
    properties: { server: { type: "string", description: "Only the files of this server" } },
  },
  annotations: { readOnlyHint: true },
  _meta: SHOWN_AT_ONCE,
};

const READ: JsonObject = {
  name: "readToolFile",
  title: "Read a tool file",
  description:
    "Reads a file that listToolFiles names: the TypeScript signature of each tool with one line on what it does.",
  inputSchema: {
    type: "object",
    required: ["fileName"],
    properties: {
      fileName: { type: "string", description: "For instance servers/github.d.ts" },
      startLine: { type: "integer", minimum: 1, description: "First line, from 1" },
      endLine: { type: "integer", minimum: 1, description: "Last line, included" },
    },
  },
  annotations: { readOnlyHint: true },
  _meta: SHOWN_AT_ONCE,
};

const DOCS: JsonObject = {
  name: "getToolDocs",
  title: "Get the documentation of a tool",
  description:
    "Shows everything about one tool, where its signature is not enough: doc comments, annotations, an example call.",
  inputSchema: {
    type: "object",
    required: ["server", "tool"],
    properties: { server: { type: "string" }, tool: { type: "string" } },
  },
  annotations: { readOnlyHint: true },
  _meta: SHOWN_AT_ONCE,
};

/** Four tools: declarations are read like files, then code is run. */
export function makeFilesSurface(view: ServedView, settings: ServeSettings): Surface {
  const describeRun = makeRunToolDefinition(view, settings, FINDING);
  const answers = new Map<string, (input: JsonObject) => Promise<string> | string>([
    ["listToolFiles", (input) => listFiles(view.lockfile(), settings.bindingLevel, readOptionalText(input, "server"))],
    [
      "readToolFile",
      (input) =>
        readFile(view.lockfile(), textArgument(input, "fileName"), {
          startLine: readOptionalCount(input, "startLine"),
          endLine: readOptionalCount(input, "endLine"),
        }),
    ],
    [
      "getToolDocs",
      (input) => {
        const server = serverOfArgument(
          view.lockfile(),
          textArgument(input, "server"),
          "listToolFiles names all servers.",
        );
        const tool = findTool(server, textArgument(input, "tool"), `readToolFile shows all tools of "${server.id}".`);
        return printToolDocs(server, tool);
      },
    ],
  ]);
  const runsCode = (name: string): boolean => name === "executeToolCode" || isRunTool(name, settings);
  return {
    runKind: (name) => (runsCode(name) ? "code" : undefined),
    listTools: async (client) => [LIST, READ, DOCS, await describeRun("executeToolCode", client)],
    callTool(name, input, call) {
      if (runsCode(name)) return callRunTool(view, input, call);
      const answer = answers.get(name);
      if (answer === undefined) return undefined;
      return answerWithText(input, async (given) => textResult(await answer(given)));
    },
  };
}

/** Everything about one tool: how to call it, and its declarations with doc comments, parameters and annotations. */
async function printToolDocs(server: LockedServer, tool: LockedTool): Promise<string> {
  const example = await exampleInputOf(tool);
  const input = example === undefined ? "/* no example can be made of the schema */" : printValue(example);
  return [
    `import { ${tool.exportName} } from "@codemode/servers/${server.id}";`,
    `const result = await ${tool.exportName}(${input});`,
    "",
    (await declarationsOfTool(server, tool)).trimEnd(),
  ].join("\n");
}

/** One file for each server, or a folder for each server and in it a file for each tool. */
type BindingLevel = "server" | "tool";

/** With more files than this, folders are listed instead. */
const MOST_FILES = 400;

/** Characters of one reading: about 8,000 tokens. The rest is read by line numbers. */
const MOST_CHARACTERS = 32_000;

/** The tree of virtual files, as text with indented lines. */
function listFiles(lockfile: Lockfile, level: BindingLevel, serverName?: string): string {
  const only =
    serverName === undefined
      ? undefined
      : serverOfArgument(lockfile, serverName, "Leave server out to list all of them.");
  const servers = only === undefined ? modulesInOrder(lockfile) : [only];
  if (servers.length === 0) return "servers/\n  (no server has tools that may be called)";
  if (level === "server")
    return ["servers/", ...servers.map((server) => `  ${server.id}.d.ts${printCount(server)}`)].join("\n");
  const isShort = countTools(servers) <= MOST_FILES || only !== undefined;
  const lines = servers.flatMap((server) =>
    isShort
      ? [`  ${server.id}/`, ...inOrder(server).map(({ exportName }) => `    ${exportName}.d.ts`)]
      : [`  ${server.id}/${printCount(server)}`],
  );
  const note = isShort ? [] : ['List the files of one server with its id as the argument "server".'];
  return ["servers/", ...lines, ...note].join("\n");
}

function printCount({ tools }: LockedServer): string {
  return `  ${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
}

/** Which lines to read, both from 1 and both included. */
interface LineRange {
  startLine?: number | undefined;
  endLine?: number | undefined;
}

/** The text of a virtual file, or some of its lines; says where more can be read. */
function readFile(lockfile: Lockfile, fileName: string, { startLine = 1, endLine }: LineRange): string {
  const lines = linesOf(lockfile, fileName);
  if (startLine > lines.length)
    throw new CallProblem(
      `${JSON.stringify(fileName)} has ${lines.length} lines.`,
      `Read from line 1 to ${lines.length}.`,
    );
  if (endLine !== undefined && endLine < startLine)
    throw new CallProblem("endLine comes before startLine.", "Pass a range such as startLine 1 and endLine 50.");
  const last = lastLine(lines, startLine, Math.min(endLine ?? lines.length, lines.length));
  const shown = lines.slice(startLine - 1, last).join("\n");
  const isWhole = startLine === 1 && last === lines.length;
  return isWhole ? shown : `${shown}\n// Lines ${startLine} to ${last} of ${lines.length}.`;
}

/** The last line that still fits; the first one always does. */
function lastLine(lines: readonly string[], startLine: number, endLine: number): number {
  let characters = 0;
  for (let line = startLine; line <= endLine; line += 1) {
    characters += (lines[line - 1] as string).length + 1;
    if (characters > MOST_CHARACTERS && line > startLine) return line - 1;
  }
  return endLine;
}

/** Files of both levels can be read, whichever are listed; `servers/`, a leading `./` and the extension may be left out. */
function linesOf(lockfile: Lockfile, fileName: string): string[] {
  const path = fileName
    .replace(/^(?:\.?\/)+/, "")
    .replace(/^servers\//, "")
    .replace(/(?:\.d)?\.ts$|\/$/, "");
  const otherwise = "listToolFiles names all files.";
  const [first = ""] = path.split("/");
  const { module: server, rest } = findModule(lockfile, path) ?? {
    module: serverOfArgument(lockfile, first, otherwise),
  };
  const tools = rest === undefined ? inOrder(server) : [findTool(server, rest, otherwise)];
  return [
    `// import { ${tools[0]?.exportName ?? "toolName"} } from "@codemode/servers/${server.id}";`,
    `// More of one tool: getToolDocs with server "${server.id}" and the name of the tool.`,
    ...tools.flatMap((tool) => ["", ...signatureOf(tool).split("\n")]),
  ];
}

function inOrder(server: LockedServer): LockedTool[] {
  return server.tools.toSorted((left, right) => byCodeUnits(left.exportName, right.exportName));
}
