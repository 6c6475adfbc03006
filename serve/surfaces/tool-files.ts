import { byCodeUnits } from "../../schemas/json/canonical-json.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { findModule } from "../../schemas/lock/operations.ts";
import { signatureOf } from "../../engine/declarations.ts";
import { findServer, findTool } from "./find-tool.ts";
import { countTools, modulesInOrder } from "../servers-in-order.ts";
import { CallProblem } from "./tool-arguments.ts";

/** One file for each server, or a folder for each server and in it a file for each tool. */
export type BindingLevel = "server" | "tool";

/** With more files than this, folders are listed instead. */
const MOST_FILES = 400;

/** Characters of one reading: about 8,000 tokens. The rest is read by line numbers. */
const MOST_CHARACTERS = 32_000;

/** The tree of virtual files, as text with indented lines. */
export function listFiles(lockfile: Lockfile, level: BindingLevel, serverName?: string): string {
  const only =
    serverName === undefined ? undefined : findServer(lockfile, serverName, "Leave server out to list all of them.");
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
export interface LineRange {
  startLine?: number | undefined;
  endLine?: number | undefined;
}

/** The text of a virtual file, or some of its lines; says where more can be read. */
export function readFile(lockfile: Lockfile, fileName: string, { startLine = 1, endLine }: LineRange): string {
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
  const { module: server, rest } = findModule(lockfile, path) ?? { module: findServer(lockfile, first, otherwise) };
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
