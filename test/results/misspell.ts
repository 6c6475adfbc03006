import { ts } from "../../engine/check/typescript.ts";
import { isJsonObject, type JsonValue } from "../../schemas/json/json.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";

/** A script with one field of a result misspelt. */
export interface Misspelt {
  code: string;
  /** The right name, and the wrong one that stands for it. */
  name: string;
  wrong: string;
  /** Where the wrong name stands, in UTF-16 units. */
  offset: number;
}

/** The script once for each place where it reads a field of a result, with that field misspelt. */
export function misspellFields(code: string, servers: readonly LockedServer[]): Misspelt[] {
  const fields = new Set(servers.flatMap(fieldsOf));
  const file = ts.createSourceFile("script.ts", code, ts.ScriptTarget.Latest, true);
  const places: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    const name = readName(node);
    if (name !== undefined && fields.has(name.text)) places.push(name);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return places.map((place) => {
    const { text: name } = place;
    const wrong = misspell(name);
    const { parent } = place;
    const isShorthand = ts.isBindingElement(parent) && parent.propertyName === undefined;
    const written = isShorthand ? `${wrong}: ${name}` : wrong;
    const offset = place.getStart(file);
    return { code: code.slice(0, offset) + written + code.slice(place.getEnd()), name, wrong, offset };
  });
}

/** The name of a field that is read: `value.name`, `{ name }` or `{ name: other }`. Methods are no fields. */
function readName(node: ts.Node): ts.Identifier | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.name)) {
    return ts.isCallExpression(node.parent) && node.parent.expression === node ? undefined : node.name;
  }
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
  const name = node.propertyName ?? node.name;
  return ts.isIdentifier(name) ? name : undefined;
}

/** Two neighbours change places, or the last letter stands twice. */
function misspell(name: string): string {
  for (let index = Math.max(1, name.length - 2); index > 0; index -= 1) {
    const [left = "", right = ""] = name.slice(index);
    if (left !== right && right !== "") return name.slice(0, index) + right + left + name.slice(index + 2);
  }
  return name + name.slice(-1);
}

/** Of an MCP result as a whole. */
const BLOCK_FIELDS = ["content", "type", "text", "data", "mimeType", "uri"];

/** The names of all fields of what the tools of a server return. */
function fieldsOf({ tools }: LockedServer): string[] {
  return [
    ...BLOCK_FIELDS,
    ...tools.flatMap(({ outputSchema = null, observed = null }) => [...namesIn(outputSchema), ...namesIn(observed)]),
  ];
}

function namesIn(schema: JsonValue): string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  if (!isJsonObject(schema)) return [];
  const { properties } = schema;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  return [...names, ...Object.values(schema).flatMap(namesIn)];
}
