import type { SchemaValidationDetails } from "./errors.ts";
import { nearestName } from "./nearest-name.ts";

/** An error object of ajv, as far as it is used here. */
export interface ValidationIssue {
  keyword: string;
  instancePath: string;
  /** Beside ajv's own, printed validators give `known`: the names that an object of a closed schema may have. */
  params: Record<string, unknown>;
  /** The schema with the failing keyword, where ajv was asked for it. */
  parentSchema?: Record<string, unknown>;
  message?: string;
}

/** The tool whose input was refused. */
export interface ValidatedTool {
  serverId: string;
  toolName: string;
  exportName: string;
  example?: unknown;
}

/** Turns ajv's errors about an input into the message and fields of a `SchemaValidationError` (specification 7.2). */
export function describeIssues(
  tool: ValidatedTool,
  input: unknown,
  issues: readonly ValidationIssue[],
): SchemaValidationDetails & { message: string } {
  const { hint, ...mismatch } = describeMismatch(input, issues);
  const { serverId, toolName, exportName, example } = tool;
  const { pointer, expected, received } = mismatch;
  const isWhole = pointer === "";
  const place = isWhole ? "the input" : `"${pointer}"`;
  return {
    message: `${exportName}: ${place} should be ${expected}, received ${received}.`,
    hint: isWhole && example !== undefined ? `${hint.slice(0, -1)}, such as ${clip(JSON.stringify(example))}.` : hint,
    serverId,
    toolName,
    exportName,
    ...mismatch,
    example,
  };
}

/** How a value differs from what a schema wants. */
export interface Mismatch {
  /** JSON Pointer (RFC 6901) into the value. */
  pointer: string;
  expected: string;
  received: string;
  hint: string;
}

/** Describes the most telling one of ajv's errors about a value. */
export function describeMismatch(value: unknown, issues: readonly ValidationIssue[]): Mismatch {
  return describeIssue(mostTelling(issues), value);
}

/** Keywords that speak of a property of the value that they stand at. */
const ABOUT_A_PROPERTY = new Set(["additionalProperties", "required", "unevaluatedProperties"]);

/** Of the errors of an `anyOf`, the deepest is the branch that the author meant; the union's own error says least. */
function mostTelling(issues: readonly ValidationIssue[]): ValidationIssue {
  const depth = ({ instancePath, keyword }: ValidationIssue): number =>
    instancePath.split("/").length + (ABOUT_A_PROPERTY.has(keyword) ? 1 : 0);
  const [first = { keyword: "", instancePath: "", params: {} }, ...others] = issues;
  return others.reduce((best, issue) => (depth(issue) > depth(best) ? issue : best), first);
}

function describeIssue(issue: ValidationIssue, input: unknown): Mismatch {
  const { instancePath, keyword, params } = issue;
  const value = valueAt(input, instancePath);
  const mismatch = { pointer: instancePath, expected: expectation(issue), received: summary(value) };
  switch (keyword) {
    case "required": {
      const name = String(params["missingProperty"]);
      const misspelt = nearestName(name, ownKeys(value));
      return {
        pointer: `${instancePath}/${escapePointer(name)}`,
        expected: "present",
        received: "nothing",
        hint: misspelt === undefined ? `Add the property "${name}".` : `Rename "${misspelt}" to "${name}".`,
      };
    }
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = String(params["additionalProperty"] ?? params["unevaluatedProperty"]);
      return {
        pointer: `${instancePath}/${escapePointer(name)}`,
        expected: "absent",
        received: summary(valueAt(value, `/${escapePointer(name)}`)),
        hint: adviseOnUnknown(name, knownNames(issue)),
      };
    }
    case "enum": {
      const allowed = (params["allowedValues"] as unknown[] | undefined) ?? [];
      const names = allowed.filter((item) => typeof item === "string");
      const nearest = typeof value === "string" ? nearestName(value, names) : undefined;
      const use = nearest === undefined ? "one of the allowed values" : JSON.stringify(nearest);
      return { ...mismatch, hint: `Use ${use}.` };
    }
    case "type":
      return { ...mismatch, hint: adviseOnType([params["type"]].flat(), value) };
    case "const":
      return { ...mismatch, hint: `Pass ${mismatch.expected}.` };
    default:
      return { ...mismatch, hint: `Pass a value ${mismatch.expected}.` };
  }
}

/** The names that the schema which refused a property has. */
function knownNames({ params, parentSchema }: ValidationIssue): readonly string[] {
  return (params["known"] as string[] | undefined) ?? ownKeys(parentSchema?.["properties"]);
}

function adviseOnUnknown(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `Rename "${name}" to "${nearest}".`;
  if (known.length === 0) return `Remove "${name}" or rename it to a property of the tool's input type.`;
  return `Remove "${name}"; known here: ${clip(known.join(", "))}.`;
}

/** Agents often quote what should be no string, so text of the right type is named as what it is. */
function adviseOnType(types: readonly unknown[], value: unknown): string {
  const kind = typeof value === "string" ? kindOfJson(value) : undefined;
  if (types.includes(kind) || (kind === "integer" && types.includes("number")))
    return `Pass ${clip(String(value))}, without quotes.`;
  return `Pass ${types.map((type) => withArticle(String(type))).join(" or ")}.`;
}

function withArticle(type: string): string {
  if (type === "null") return type;
  return `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
}

/** The type of what a text is the JSON of; undefined where it is none. */
function kindOfJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return "null";
    return Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;
  } catch {
    return undefined;
  }
}

/** What the schema wants, as the end of "should be …". */
function expectation({ keyword, params, message }: ValidationIssue): string {
  switch (keyword) {
    case "type":
      return [params["type"]].flat().join(" or ");
    case "enum":
      return `one of ${clip(JSON.stringify(params["allowedValues"]))}`;
    case "const":
      return clip(JSON.stringify(params["allowedValue"]));
    default:
      return message === undefined ? "valid" : toParticiple(message);
  }
}

/** ajv's messages as the end of "should be …". */
function toParticiple(message: string): string {
  return message.replace(
    /^must (be |match |contain |NOT (?:be |have (?:more than |fewer than )?))/,
    (_, verb: string) => PARTICIPLES[verb] ?? "",
  );
}

const PARTICIPLES: Record<string, string> = {
  "be ": "",
  "match ": "matching ",
  "contain ": "containing ",
  "NOT be ": "not ",
  "NOT have more than ": "of no more than ",
  "NOT have fewer than ": "of at least ",
  "NOT have ": "without ",
};

/** What was given: scalars by value, the rest by kind. */
function summary(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "string") return clip(JSON.stringify(value));
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" ? "an object" : typeof value;
}

function clip(text: string, most = 120): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function ownKeys(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

/** Follows a JSON Pointer (RFC 6901) through own properties only. */
function valueAt(value: unknown, pointer: string): unknown {
  let current = value;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
