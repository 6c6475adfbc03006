import type { JsonObject } from "../../schemas/json/json.ts";
import type { ServeSettings } from "../../schemas/config/serve-settings.ts";
import { findServer, findTool } from "./find-tool.ts";
import { printToolDocs } from "./print-tool-docs.ts";
import type { ServedView, Surface } from "../surface.ts";
import { answerCall, readOptionalCount, readOptionalText, readText, textResult } from "./tool-arguments.ts";
import { listFiles, readFile } from "./tool-files.ts";
import { callRunTool, isRunTool, makeRunToolDefinition, SHOWN_AT_ONCE } from "./run-tool.ts";

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
        readFile(view.lockfile(), readText(input, "fileName"), {
          startLine: readOptionalCount(input, "startLine"),
          endLine: readOptionalCount(input, "endLine"),
        }),
    ],
    [
      "getToolDocs",
      (input) => {
        const server = findServer(view.lockfile(), readText(input, "server"), "listToolFiles names all servers.");
        const tool = findTool(server, readText(input, "tool"), `readToolFile shows all tools of "${server.id}".`);
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
      return answerCall(input, async (given) => textResult(await answer(given)));
    },
  };
}
