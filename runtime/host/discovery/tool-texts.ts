import { isJsonObject, type JsonValue, ownValue } from "../../../schemas/json/json.ts";
import type { LockedServer, LockedTool } from "../../../schemas/lock/lockfile.ts";

/** What is said of a tool, by how much it says. */
export interface ToolTexts {
  name: string;
  title: string;
  server: string;
  /** The first sentence of the description, which is in `description` again. */
  summary: string;
  description: string;
  parameters: string;
  parameterTexts: string;
  /** The texts that parameters may have as their value. */
  values: string;
}

/** The end of a long description is about how to call the tool, not about what it is for. */
const LONGEST = { name: 200, summary: 300, description: 800, parameters: 6000 };
const MAX_SCHEMAS = 300;
const MAX_DEPTH = 6;
const MAX_VALUES = 50;

/** Collects what the search index reads of a tool. All of it is bounded, however long a server makes it. */
export function toToolTexts(server: LockedServer, tool: LockedTool): ToolTexts {
  const { annotations } = tool;
  const hinted = isJsonObject(annotations) ? ownValue(annotations, "title") : undefined;
  const description = (tool.description ?? "").trimStart().slice(0, LONGEST.description);
  const start = description.slice(0, LONGEST.summary);
  const found = { names: [] as string[], texts: [] as string[], values: [] as string[], schemas: 0 };
  collectParameters(tool.inputSchema, 0, found);
  return {
    name: tool.name.slice(0, LONGEST.name),
    title: (tool.title ?? (typeof hinted === "string" ? hinted : "")).slice(0, LONGEST.name),
    server: `${server.id} ${server.name.slice(0, LONGEST.name)}`,
    // Two letters before the full stop, so that "e.g." ends no sentence.
    summary: /^[^]*?[^.\s]{2}[.!?](?=\s)/.exec(start)?.[0] ?? start,
    description,
    parameters: found.names.join(" ").slice(0, LONGEST.parameters),
    parameterTexts: found.texts.join(" ").slice(0, LONGEST.parameters),
    values: found.values.join(" ").slice(0, LONGEST.parameters),
  };
}

interface Found {
  names: string[];
  texts: string[];
  values: string[];
  schemas: number;
}

function collectParameters(schema: JsonValue | undefined, depth: number, found: Found): void {
  if (!isJsonObject(schema) || depth > MAX_DEPTH || found.schemas >= MAX_SCHEMAS) return;
  found.schemas += 1;
  const description = ownValue(schema, "description");
  // That of the whole schema, where there is one, says again what the tool says.
  if (depth > 0 && typeof description === "string") found.texts.push(description.slice(0, LONGEST.description));
  const values = [ownValue(schema, "enum") ?? [], ownValue(schema, "const") ?? []].flat().slice(0, MAX_VALUES);
  found.values.push(
    ...values.filter((value) => typeof value === "string").map((value) => value.slice(0, LONGEST.name)),
  );
  const properties = ownValue(schema, "properties");
  for (const [name, child] of isJsonObject(properties) ? Object.entries(properties).slice(0, MAX_SCHEMAS) : []) {
    found.names.push(name.slice(0, LONGEST.name));
    collectParameters(child, depth + 1, found);
  }
  for (const keyword of ["items", "additionalProperties", "anyOf", "oneOf", "allOf"]) {
    const children = [ownValue(schema, keyword) ?? []].flat().slice(0, MAX_VALUES);
    for (const child of children) collectParameters(child, depth + 1, found);
  }
}
