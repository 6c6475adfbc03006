import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { listOfCodemode } from "./list-codemode.js";
import { listWithExecutor } from "./list-executor.js";
import { listOverMcp } from "./list-over-mcp.js";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const BASE_URL = "https://api.example";

/** Whether a schema says more than that there is a value. */
function saysSomething(schema) {
  return Object.keys(schema ?? {}).some((key) => !["type", "description"].includes(key) || schema.type === "array");
}

async function listOurs(document) {
  return listOverMcp([at("../../openapi/dist/main.js"), document, "--base-url", BASE_URL]);
}

const toTyped = (tools) => tools.map(({ name, outputSchema }) => ({ name, isTyped: outputSchema !== undefined }));

async function overMcp(args) {
  const { tools } = await listOverMcp(args);
  return { tools: toTyped(tools), listed: tools };
}

/** Each system: its package, and a function from a document to its tools and to the list that a model gets. */
export const SYSTEMS = [
  {
    name: "`@codemode/openapi`",
    async open(document) {
      const { tools } = await listOurs(document);
      return { tools: toTyped(tools), listed: tools };
    },
  },
  {
    name: "the same, behind `codemode serve`",
    async open(document, id) {
      const found = await listOurs(document);
      return { tools: toTyped(found.tools), listed: await listOfCodemode(id, found) };
    },
  },
  { name: "Executor", package: "executor", open: listWithExecutor },
  {
    name: "FastMCP for TypeScript",
    package: "fastmcp",
    open: (document) => overMcp([at("serve-fastmcp.js"), document]),
  },
  {
    name: "`@ivotoby/openapi-mcp-server`",
    package: "@ivotoby/openapi-mcp-server",
    open: (document) =>
      overMcp([
        at("node_modules/@ivotoby/openapi-mcp-server/bin/mcp-server.js"),
        ...["--openapi-spec", document, "--api-base-url", BASE_URL],
      ]),
  },
  {
    name: "`openapi-mcp-generator`",
    package: "openapi-mcp-generator",
    async open(document) {
      const { getToolsFromOpenApi } = await import("openapi-mcp-generator/dist/api.js");
      const found = await getToolsFromOpenApi(document, { baseUrl: BASE_URL, dereference: true });
      // What its generated server answers to `tools/list`.
      const listed = found.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
      return { tools: toTyped(listed), listed };
    },
  },
  {
    name: "UTCP, `OpenApiConverter`",
    package: "@utcp/http",
    async open(document) {
      const { OpenApiConverter } = await import("@utcp/http");
      const { tools } = new OpenApiConverter(JSON.parse(await readFile(document, "utf8"))).convert();
      const listed = tools.map(({ name, description, inputs, outputs }) => ({ name, description, inputs, outputs }));
      return { tools: tools.map(({ name, outputs }) => ({ name, isTyped: saysSomething(outputs) })), listed };
    },
  },
];
