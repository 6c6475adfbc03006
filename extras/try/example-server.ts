import { existsSync, readFileSync } from "node:fs";
import { type CallToolResult, Server, type Tool } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { isJsonObject, type JsonObject, type JsonValue } from "../../schemas/json/json.ts";

// An MCP server of `codemode try` on standard input and output. Arguments: tickets, customers or messages, and a file. What the file says is
// put in front of the description of the first tool: a server that has changed.

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

/** A ticket of the example. */
interface Ticket {
  id: number;
  customer: string;
  title: string;
  waitingDays: number;
  body: string;
}

/** A customer of the example. */
interface Customer {
  id: string;
  name: string;
  plan: string;
  owner: string;
  notes: string;
}

const PAGE_SIZE = 100;
const TICKETS = 3 * PAGE_SIZE;
const CUSTOMERS = 40;

const FIRST = ["North", "Blue", "Granite", "Harbour", "Maple", "Orion", "Quartz", "River", "Silver", "Union"];
const SECOND = ["Foods", "Logistics", "Energy", "Bank"];
const PLANS = ["free", "team", "business", "enterprise"];
const OWNERS = ["ada", "grace", "linus", "margaret"];
const PARTS = ["invoice export", "single sign-on", "mobile app", "weekly report", "search", "import of contacts"];
const TROUBLES = ["stops with an error", "shows old data", "is slow since Monday", "misses the last page"];

const pick = <Item>(list: readonly Item[], at: number): Item => list[at % list.length] as Item;

/** Always the same, so that a trial can be repeated. */
function listTickets(): Ticket[] {
  return Array.from({ length: TICKETS }, (_, at) => {
    const what = `${pick(PARTS, at * 7)} ${pick(TROUBLES, at * 3 + 1)}`;
    return {
      id: 1000 + at,
      customer: `c${(at * 11) % CUSTOMERS}`,
      title: `The ${what}`,
      // Most are young: few wait for more than two weeks.
      waitingDays: (at * at * 7 + at) % 17,
      body: `Since the last update the ${what}. We have tried it in two browsers and with a new account, and it is the same for all of us. Please tell us when it will work again; until then we do this by hand every morning.`,
    };
  });
}

/** The customer of an id, or undefined. */
function findCustomer(id: string): Customer | undefined {
  const at = Number(/^c(\d+)$/.exec(id)?.[1] ?? Number.NaN);
  if (!(at < CUSTOMERS)) return undefined;
  return {
    id,
    name: `${pick(FIRST, at)} ${pick(SECOND, Math.floor(at / FIRST.length))}`,
    plan: pick(PLANS, at * 3 + 1),
    owner: pick(OWNERS, at * 5 + Math.floor(at / 4)),
    notes:
      "Renews in spring. Prefers to be called in the morning. The contract is in the shared folder of the account.",
  };
}
