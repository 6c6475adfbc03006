// An MCP server of `codemode try` on standard input and output. Arguments: tickets, customers or messages, and a file. What the file says is
// put in front of the description of the first tool: a server that has changed.
import { existsSync, readFileSync } from "node:fs";
import { type CallToolResult, Server, type Tool } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { isJsonObject, type JsonObject, type JsonValue } from "../../schemas/json/json.ts";
import { findCustomer, listTickets, PAGE_SIZE } from "./example-data.ts";

/** A tool and what it does. */
interface ExampleTool {
  definition: Tool;
  call: (input: JsonObject) => object | undefined;
}

const text = { type: "string" };
const number = { type: "integer" };

const TOOLS: Readonly<Record<string, ExampleTool>> = {
  tickets: {
    definition: {
      name: "list_tickets",
      description: "Lists the open tickets, 100 on a page.",
      inputSchema: objectOf({ page: { ...number, minimum: 1 } }),
      outputSchema: objectOf({
        tickets: {
          type: "array",
          items: objectOf({ id: number, customer: text, title: text, waitingDays: number, body: text }),
        },
      }),
      annotations: { readOnlyHint: true },
    },
    call: ({ page }) => ({ tickets: listTickets().slice((Number(page) - 1) * PAGE_SIZE, Number(page) * PAGE_SIZE) }),
  },
  customers: {
    definition: {
      name: "get_customer",
      description: "Gets a customer with the plan and the owner of the account.",
      inputSchema: objectOf({ id: text }),
      outputSchema: objectOf({ id: text, name: text, plan: text, owner: text, notes: text }),
      annotations: { readOnlyHint: true },
    },
    call: ({ id }) => findCustomer(String(id)),
  },
  messages: {
    definition: {
      name: "send_message",
      description: "Sends a message to a colleague.",
      inputSchema: objectOf({ to: text, text }),
      outputSchema: objectOf({ sent: { type: "boolean" } }),
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    call: () => ({ sent: true }),
  },
};

function objectOf(properties: Record<string, JsonValue>) {
  return { type: "object" as const, properties, required: Object.keys(properties), additionalProperties: false };
}

const [name = "", change = ""] = process.argv.slice(2);
const example = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
if (example === undefined) throw new Error(`There is no example server ${name}.`);
const added = existsSync(change) ? `${readFileSync(change, "utf8").trim()} ` : "";
const definition = { ...example.definition, description: `${added}${example.definition.description}` };

const handle = serveStdio(() => makeServer(example));
process.stdin.once("end", () => void handle.close());

function makeServer({ call }: ExampleTool): Server {
  const server = new Server({ name, version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [definition] }));
  server.setRequestHandler("tools/call", ({ params }) => toResult(call(inputOf(params.arguments))));
  return server;
}

function inputOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function toResult(value: object | undefined): CallToolResult {
  if (value === undefined) return { content: [{ type: "text", text: "There is none of that id." }], isError: true };
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: { ...value } };
}
