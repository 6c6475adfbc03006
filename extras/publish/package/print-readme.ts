import { ownValue, type JsonValue, toJsonObject } from "../../../schemas/json/json.ts";
import type { LockedServer, LockedTool } from "../../../schemas/lock/lockfile.ts";
import { modulesOf, countOperations } from "../../../schemas/lock/operations.ts";
import { toCodeBlock, toMarkdownCode, toMarkdownText } from "./markdown-text.ts";
import { annotationWords } from "../../../templates/plan.ts";
import type { ExampleCall } from "./choose-example.ts";
import { npmPackageOf } from "./package-name.ts";
import { PACKED_LOCKFILE } from "./print-manifest.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";

const LONGEST_INSTRUCTIONS = 500;

/** The README of a server package. All text from the server is shown as plain words, never as markup. */
export function printReadme(packageName: string, server: LockedServer, example: ExampleCall | undefined): string {
  const paragraphs = [
    `# ${packageName}`,
    introduce(server),
    ...quoteInstructions(server),
    "## Install",
    toCodeBlock("sh", `npm install ${packageName}`),
    ...printUse(packageName, server, example),
    "## Tools",
    printTools(server.tools),
    ...modulesOf(server).flatMap((module) => printModule(packageName, module)),
    "## Where it connects",
    ...printConnection(server),
    "## What it was made from",
    printOrigin(server),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}

function introduce(server: LockedServer): string {
  const { id, serverInfo } = server;
  const name = ownValue(serverInfo, "title") ?? ownValue(serverInfo, "name");
  const version = ownValue(serverInfo, "version");
  const shownName = typeof name === "string" && name.trim() !== "" ? toMarkdownCode(name) : `\`${id}\``;
  const numbered = typeof version === "string" && version !== "" ? ` (version ${toMarkdownCode(version)})` : "";
  return (
    `The ${countOperations(server)} of the MCP server ${shownName}${numbered} as typed functions, made by ` +
    "[codemode](https://www.npmjs.com/package/codemode) from a locked tool list. Each function checks its input before anything " +
    "is sent, and works in a codemode sandbox, in Node and in a browser."
  );
}

function quoteInstructions({ serverInfo, instructions }: LockedServer): string[] {
  const description = ownValue(serverInfo, "description");
  const text = typeof description === "string" && description.trim() !== "" ? description : (instructions ?? "");
  const quote = toMarkdownText(text, LONGEST_INSTRUCTIONS);
  return quote === "" ? [] : [`The server says of itself:\n\n> ${quote}`];
}

function printUse(packageName: string, { id }: LockedServer, example: ExampleCall | undefined): string[] {
  if (example === undefined) return [];
  const { exportName, argument } = example;
  const importing = `import { ${exportName} } from "${packageName}";`;
  const call = `await ${exportName}(${argument})`;
  return [
    "## Use",
    `In a script of a project that has the server \`${id}\` in its codemode configuration and lockfile, run with \`codemode run\`:`,
    toCodeBlock("ts", `${importing}\n\nexport default ${call};`),
    "In Node, where the nearest `codemode.config.json` says how to reach the server, or `connect` does:",
    toCodeBlock("ts", `${importing}\n\nconsole.log(${call});`),
    "In a browser or a worker, over a connection of your own (`npm install @codemode/runtime`, too):",
    toCodeBlock(
      "ts",
      [
        'import { connect } from "@codemode/runtime/connect";',
        importing,
        "",
        "declare const client: { callTool(request: { name: string; arguments: unknown }): Promise<object> };",
        "",
        "await connect({ call: ({ toolName, input }) => client.callTool({ name: toolName, arguments: input }) });",
        `console.log(${call});`,
      ].join("\n"),
    ),
    "Errors have the classes of `@codemode/runtime/errors`, the same in all three places.",
  ];
}

/** The functions of a module beside the server's tools. */
function printModule(packageName: string, { id, tools }: LockedServer): string[] {
  const [, list] = id.split("/");
  if (list === undefined) return [];
  const title = list === "resources" ? "Resources" : "Prompts";
  return [`## ${title}`, `From \`${packageName}/${list}\`:`, printTools(tools)];
}

function printTools(tools: readonly LockedTool[]): string {
  if (tools.length === 0) return "The server has none.";
  const head = ["| function | what it does | annotations |", "| --- | --- | --- |"];
  return [...head, ...tools.map(printToolRow)].join("\n");
}

function printToolRow({ name, exportName, title, description, annotations }: LockedTool): string {
  const called = name === exportName ? "" : ` (${toMarkdownCode(name)})`;
  const text = toMarkdownText(description ?? title ?? "");
  return `| ${toMarkdownCode(exportName)}${called} | ${text} | ${annotationWords(annotations).join(", ")} |`;
}

function printConnection(server: LockedServer): string[] {
  const fetched = npmPackageOf(server);
  return [
    "The package connects nowhere by itself. This entry of `codemode.config.json` is the one that it was locked with; variables " +
      "take the place of values:",
    toCodeBlock("json", printServerEntry(server)),
    ...(fetched === undefined
      ? []
      : [`The server is the npm package [\`${fetched.name}\`](https://www.npmjs.com/package/${fetched.name}).`]),
  ];
}

function printOrigin({ id, integrity, protocolVersion }: LockedServer): string {
  return (
    `The lock entry of the server \`${id}\` (\`${integrity}\`, MCP ${toMarkdownCode(protocolVersion)}) is in ` +
    `\`${PACKED_LOCKFILE}\`. codemode compares it with your project's own before it binds a script to this package. ` +
    "What changed from release to release is in `CHANGELOG.md`."
  );
}

/** The configuration that reaches a server as it was locked; the values of variables and headers are placeholders. */
function printServerEntry({ name, source }: LockedServer): string {
  const entry = "url" in source ? printAddress(source) : source.transport === "stdio" ? printProgram(source) : {};
  return JSON.stringify({ mcpServers: toJsonObject([[name, entry]]) }, null, 2);
}

type Program = Extract<LockedServer["source"], { transport: "stdio" }>;
type Address = Extract<LockedServer["source"], { url: string }>;

function printProgram({ command, args, env, cwd }: Program): JsonValue {
  return {
    command,
    args: [...args],
    ...withoutUndefined({
      env: env.length === 0 ? undefined : toJsonObject(env.map((variable) => [variable, toPlaceholder(variable)])),
      cwd,
    }),
  };
}

function printAddress({ transport, url, headers }: Address): JsonValue {
  const placeholders = headers.map((header) => [header, toPlaceholder(header)] as const);
  return {
    type: transport,
    url: fillQuery(url),
    ...withoutUndefined({ headers: headers.length === 0 ? undefined : toJsonObject(placeholders) }),
  };
}

/** The lockfile keeps the names of a query alone. */
function fillQuery(url: string): string {
  return url.replace(/\?[^#]*/, (query) =>
    query.replace(/(?<![^?&])([^?&=]+)=(?=&|$)/g, (_, name: string) => `${name}=${toPlaceholder(name)}`),
  );
}

function toPlaceholder(name: string): string {
  return `\${${name.toUpperCase().replace(/[^A-Z0-9_]/g, "_")}}`;
}
