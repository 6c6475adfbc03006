import { type JsonObject, ownValue } from "../../../../schemas/json/json.ts";

/** A URI template (RFC 6570, level 4) that begins with a literal scheme. */
export interface UriTemplate {
  parts: readonly (string | Expression)[];
  /** In the order in which they come first. */
  variables: readonly TemplateVariable[];
}

/** A parameter of the template. */
export interface TemplateVariable {
  name: string;
  /** Whether its value is a list (`{path*}`). */
  isList: boolean;
  /** False for variables of a query, which is valid without them. */
  isRequired: boolean;
}

interface Expression {
  operator: Operator;
  variables: readonly { name: string; isList: boolean; length: number | undefined }[];
}

/** How an expression prints its values (RFC 6570, appendix A). */
interface Operator {
  first: string;
  separator: string;
  isNamed: boolean;
  /** What stands between the name and an empty value. */
  ifEmpty: string;
  keepsReserved: boolean;
  isOptional: boolean;
}

const PLAIN = { first: "", separator: ",", isNamed: false, ifEmpty: "", keepsReserved: false, isOptional: false };

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["", PLAIN],
  ["+", { ...PLAIN, keepsReserved: true }],
  ["#", { ...PLAIN, first: "#", keepsReserved: true }],
  [".", { ...PLAIN, first: ".", separator: "." }],
  ["/", { ...PLAIN, first: "/", separator: "/" }],
  [";", { ...PLAIN, first: ";", separator: ";", isNamed: true }],
  ["?", { ...PLAIN, first: "?", separator: "&", isNamed: true, ifEmpty: "=", isOptional: true }],
  ["&", { ...PLAIN, first: "&", separator: "&", isNamed: true, ifEmpty: "=", isOptional: true }],
]);

const MAX_CHARACTERS = 2048;
const MAX_VARIABLES = 50;

/** Reads a template; undefined for one that no URI can be made of, or that leaves its scheme open. */
export function parseUriTemplate(text: string): UriTemplate | undefined {
  if (text.length > MAX_CHARACTERS || !/^[a-z][a-z0-9+.-]*:/i.test(text)) return undefined;
  const parts: (string | Expression)[] = [];
  for (const part of text.split(/(\{[^{}]*\})/)) {
    const parsed = part.startsWith("{") ? parseExpression(part.slice(1, -1)) : parseLiteral(part);
    if (parsed === undefined) return undefined;
    parts.push(parsed);
  }
  const variables = collectVariables(parts);
  return variables.length > MAX_VARIABLES ? undefined : { parts, variables };
}

/** Prints the URI of some values; undefined where they are of a wrong type, or hold half of a character. */
export function expandUriTemplate({ parts }: UriTemplate, values: JsonObject): string | undefined {
  try {
    return parts.map((part) => (typeof part === "string" ? part : expand(part, values))).join("");
  } catch (error) {
    if (error instanceof URIError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Nothing that a URI cannot hold (RFC 3986), but letters of other scripts (RFC 3987). */
function parseLiteral(text: string): string | undefined {
  return /[\p{C}\p{Z}"'<>\\^`{|}]|%(?![0-9a-f]{2})/iu.test(text) ? undefined : text;
}

function parseExpression(text: string): Expression | undefined {
  const [, sign = "", list = ""] = /^([+#./;?&]?)(.+)$/.exec(text) ?? [];
  const operator = OPERATORS.get(sign);
  const variables = list.split(",").map((spec) => {
    // RFC 6570 knows no hyphen here; servers do.
    const [, name, explode, length] = /^([\w%-]+(?:\.[\w%-]+)*)(?:(\*)|:([1-9]\d{0,3}))?$/.exec(spec) ?? [];
    return name === undefined
      ? undefined
      : { name, isList: explode !== undefined, length: length === undefined ? undefined : Number(length) };
  });
  const found = variables.filter((variable) => variable !== undefined);
  return operator === undefined || found.length < variables.length ? undefined : { operator, variables: found };
}

function collectVariables(parts: UriTemplate["parts"]): TemplateVariable[] {
  const byName = new Map<string, TemplateVariable>();
  for (const part of parts) {
    if (typeof part === "string") continue;
    for (const { name, isList } of part.variables) {
      const known = byName.get(name);
      byName.set(name, {
        name,
        isList: isList || known?.isList === true,
        isRequired: !part.operator.isOptional || known?.isRequired === true,
      });
    }
  }
  return [...byName.values()];
}

function expand({ operator, variables }: Expression, values: JsonObject): string {
  const printed = variables.flatMap(({ name, isList, length }) => {
    const value = ownValue(values, name);
    if (value === undefined) return [];
    const items = (Array.isArray(value) ? value : [value]).map((item) => {
      if (typeof item !== "string") throw new TypeError("not a text");
      return encode(length === undefined ? item : Array.from(item).slice(0, length).join(""), operator);
    });
    const named = (item: string): string =>
      operator.isNamed ? `${name}${item === "" ? operator.ifEmpty : `=${item}`}` : item;
    return isList ? items.map(named) : [named(items.join(","))];
  });
  return printed.length === 0 ? "" : operator.first + printed.join(operator.separator);
}

/** Throws `URIError` for half of a character. */
function encode(text: string, { keepsReserved }: Operator): string {
  if (!keepsReserved)
    return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return text
    .split(/(%[0-9a-f]{2})/i)
    .map((part, index) => (index % 2 === 1 ? part : encodeURI(part).replace(/%5B/g, "[").replace(/%5D/g, "]")))
    .join("");
}
