import type { ApiDocument } from "./document/parse-document.ts";
import { toLeftOut } from "./document/left-out.ts";
import { follow, followObject, invalidAt, type Placed, pointTo } from "./document/pointer.ts";
import { arrayAt, type Json, type JsonObject, isObject, member, objectAt, textAt } from "./json.ts";

/** The methods of a path, in the order of the specification. */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** Where a parameter goes. */
export type ParameterPlace = "path" | "query" | "header" | "cookie";

/** How the values of a parameter are written. */
export type ParameterStyle = "simple" | "label" | "matrix" | "form" | Delimited | "deepObject";
/** One list in one value. Tabs, and all of them in a path or a header, are of Swagger 2.0 alone. */
type Delimited = "spaceDelimited" | "pipeDelimited" | "tabDelimited";

/** A parameter of an operation, with the defaults of the specification. */
export interface Parameter {
  name: string;
  place: ParameterPlace;
  required: boolean;
  description?: string | undefined;
  deprecated: boolean;
  style: ParameterStyle;
  explode: boolean;
  allowReserved: boolean;
  /** What stands between the items of lists within a list, in Swagger 2.0. */
  itemSeparators?: readonly string[] | undefined;
  /** A value with a media type is written as that, without a style. */
  mediaType?: string | undefined;
  schema: Placed;
  example?: Json | undefined;
}

/** A body in one media type. */
export interface MediaType {
  mediaType: string;
  value: JsonObject;
  pointer: string;
}

/** The body of a request, in the media types that the document names. */
export interface RequestBody {
  required: boolean;
  description?: string | undefined;
  content: MediaType[];
}

/** An answer that the document names: `200`, `2XX` or `default`. */
export interface ResponseCase {
  status: string;
  description?: string | undefined;
  content: MediaType[];
}

/** One method of one path. */
export interface Operation {
  method: string;
  path: string;
  id?: string | undefined;
  tags: string[];
  summary?: string | undefined;
  description?: string | undefined;
  deprecated: boolean;
  parameters: Parameter[];
  body?: RequestBody | undefined;
  responses: ResponseCase[];
  /** Servers of the operation or its path; those of the document where it has none. */
  servers: JsonObject[];
  /** Alternatives, each with the names of the schemes that it wants together. */
  security: string[][];
  /** The scopes that are asked for, by the name of the scheme. */
  scopes: [string, string[]][];
  pointer: string;
}

/**
 * Lists all operations of a document, in its order. Each must be callable: one that is not, is noted in `leftOut` of the document, and the others are
 * listed.
 * @throws OpenApiError where none is left: the first reason
 */
export function listOperations({ root, leftOut }: ApiDocument): Operation[] {
  const paths = objectAt(root, "paths") ?? {};
  const orLeaveOut = <Part>(pointer: string, read: () => Part[]): Part[] => {
    try {
      return read();
    } catch (error) {
      leftOut.push(toLeftOut(pointer, error));
      return [];
    }
  };
  const operations = Object.keys(paths).flatMap((path) => {
    if (path.startsWith("x-")) return [];
    const pointer = pointTo("#/paths", path);
    return orLeaveOut(pointer, () => {
      if (!path.startsWith("/")) throw invalidAt(pointer, "a path must begin with /", `Write it as /${path}.`);
      const item = followObject(root, member(paths, path), pointer, "a path");
      return METHODS.filter((method) => member(item.value, method) !== undefined).flatMap((method) =>
        orLeaveOut(pointTo(pointer, method), () => [readOperation(root, path, method, item)]),
      );
    });
  });
  if (operations.length > 0) return operations;
  const hint = "Give a document with at least one path that has a method.";
  throw leftOut[0]?.error ?? invalidAt("#/paths", "there is no operation in the document", hint);
}

function readOperation(root: JsonObject, path: string, method: string, item: Placed<JsonObject>): Operation {
  const pointer = pointTo(item.pointer, method);
  const { value } = followObject(root, member(item.value, method), pointer, "an operation");
  const parameters = mergeParameters(
    readParameters(root, member(item.value, "parameters"), pointTo(item.pointer, "parameters")),
    readParameters(root, member(value, "parameters"), pointTo(pointer, "parameters")),
  );
  assertPathParameters(path, parameters, pointer);
  const body = member(value, "requestBody");
  return {
    method: method.toUpperCase(),
    path,
    id: textAt(value, "operationId"),
    tags: arrayAt(value, "tags").filter((tag) => typeof tag === "string"),
    summary: textAt(value, "summary") ?? textAt(item.value, "summary"),
    description: textAt(value, "description"),
    deprecated: member(value, "deprecated") === true,
    parameters,
    body: body === undefined ? undefined : readBody(root, body, pointTo(pointer, "requestBody")),
    responses: readResponses(root, member(value, "responses"), pointTo(pointer, "responses")),
    servers:
      [value, item.value, root].map((at) => arrayAt(at, "servers").filter(isObject)).find((list) => list.length > 0) ??
      [],
    ...readSecurity(member(value, "security") ?? member(root, "security"), pointTo(pointer, "security")),
    pointer,
  };
}

function readParameters(root: JsonObject, list: Json | undefined, pointer: string): Parameter[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw invalidAt(pointer, "parameters must be a list", "Write each parameter as an item.");
  return list.map((item, index) => {
    const at = followObject(root, item, pointTo(pointer, index), "a parameter");
    return readParameter(at.value, at.pointer);
  });
}

const DELIMITED = ["spaceDelimited", "pipeDelimited", "tabDelimited"] as const;
const PLACES: Readonly<Record<ParameterPlace, readonly ParameterStyle[]>> = {
  path: ["simple", "label", "matrix", ...DELIMITED],
  query: ["form", ...DELIMITED, "deepObject"],
  header: ["simple", ...DELIMITED],
  cookie: ["form"],
};

function readParameter(value: JsonObject, pointer: string): Parameter {
  const name = textAt(value, "name");
  if (name === undefined || name === "") throw invalidAt(pointer, "the parameter has no name", "Add a name.");
  const place = textAt(value, "in");
  if (!isPlace(place)) {
    throw invalidAt(pointer, `"in" of parameter ${name} is none of ${Object.keys(PLACES).join(", ")}`, "Correct it.");
  }
  const [defaultStyle] = PLACES[place];
  const style = (textAt(value, "style") ?? defaultStyle) as ParameterStyle;
  if (!PLACES[place].includes(style)) {
    throw invalidAt(
      pointer,
      `style ${style} of parameter ${name} is not for "in: ${place}"`,
      `Use ${PLACES[place].join(" or ")}.`,
    );
  }
  const content = Object.entries(objectAt(value, "content") ?? {})[0];
  if (content === undefined && member(value, "schema") === undefined) {
    throw invalidAt(pointer, `parameter ${name} has neither schema nor content`, "Add a schema.");
  }
  const [mediaType, media] = content ?? [];
  const schema: Placed =
    mediaType === undefined
      ? { value: member(value, "schema") ?? true, pointer: pointTo(pointer, "schema") }
      : {
          value: (isObject(media) && member(media, "schema")) || true,
          pointer: pointTo(pointer, "content", mediaType, "schema"),
        };
  return {
    name,
    place,
    // A path without its value is another path.
    required: place === "path" || member(value, "required") === true,
    description: textAt(value, "description"),
    deprecated: member(value, "deprecated") === true,
    style,
    explode: (member(value, "explode") ?? style === "form") === true,
    allowReserved: member(value, "allowReserved") === true,
    itemSeparators: arrayAt(value, "x-item-separators").filter((one) => typeof one === "string"),
    mediaType,
    schema,
    example: member(value, "example"),
  };
}

function isPlace(place: string | undefined): place is ParameterPlace {
  return place !== undefined && Object.hasOwn(PLACES, place);
}

/** What two parameters of one place share where readers take them for the same: many programs read `-` in the name of a header as `_`. */
export function toPlaceKey(place: string, name: string): string {
  const lower = name.toLowerCase();
  return `${place} ${place === "header" ? lower.replaceAll("_", "-") : lower}`;
}

/** Headers that the message itself needs, and headers that the specification takes from parameters. */
const RESERVED_HEADERS =
  /^(?:accept|accept-encoding|authorization|connection|content-encoding|content-length|content-type|cookie|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** A parameter of the operation replaces one of its path with the same name and place. */
function mergeParameters(ofPath: Parameter[], own: Parameter[]): Parameter[] {
  const merged = new Map([...ofPath, ...own].map((parameter) => [`${parameter.place} ${parameter.name}`, parameter]));
  return [...merged.values()].filter(({ place, name }) => place !== "header" || !RESERVED_HEADERS.test(name));
}

function assertPathParameters(path: string, parameters: Parameter[], pointer: string): void {
  for (const name of namesInPath(path)) {
    if (parameters.some((parameter) => parameter.place === "path" && parameter.name === name)) continue;
    throw invalidAt(pointer, `{${name}} of the path has no parameter`, `Add a parameter ${name} with "in: path".`);
  }
}

/** The names between braces in a path. */
function namesInPath(path: string): string[] {
  // Some documents write the query into the path; its parameters are written as all others are.
  return [...(path.split("?", 1)[0] ?? "").matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
}

function readBody(root: JsonObject, body: Json, pointer: string): RequestBody {
  const at = followObject(root, body, pointer, "requestBody");
  return {
    required: member(at.value, "required") === true,
    description: textAt(at.value, "description"),
    content: readContent(root, member(at.value, "content"), pointTo(at.pointer, "content")),
  };
}

function readContent(root: JsonObject, content: Json | undefined, pointer: string): MediaType[] {
  if (content === undefined) return [];
  if (!isObject(content)) throw invalidAt(pointer, "content must be an object", "Write a member for each media type.");
  return Object.entries(content).map(([name, media]) => {
    const at = followObject(root, media, pointTo(pointer, name), "a media type");
    const schema = member(at.value, "schema");
    if (schema !== undefined && typeof schema !== "boolean") follow(root, schema, pointTo(at.pointer, "schema"));
    return { mediaType: name.trim().toLowerCase(), value: at.value, pointer: at.pointer };
  });
}

function readResponses(root: JsonObject, responses: Json | undefined, pointer: string): ResponseCase[] {
  if (responses === undefined) return [];
  if (!isObject(responses)) throw invalidAt(pointer, "responses must be an object", "Write a member for each status.");
  return Object.entries(responses)
    .filter(([status]) => !status.startsWith("x-"))
    .map(([status, response]) => {
      const place = pointTo(pointer, status);
      if (!/^(?:[1-5](?:\d\d|XX)|default)$/i.test(status)) {
        throw invalidAt(place, `${JSON.stringify(status)} is no status`, "Use a status such as 200, 2XX or default.");
      }
      const at = followObject(root, response, place, "a response");
      const content = readContent(root, member(at.value, "content"), pointTo(at.pointer, "content"));
      return {
        status: status.toUpperCase().replace("DEFAULT", "default"),
        description: textAt(at.value, "description"),
        content,
      };
    });
}

/** A scheme that is not defined has no value: its alternative is never used. */
function readSecurity(security: Json | undefined, pointer: string): Pick<Operation, "security" | "scopes"> {
  if (security === undefined) return { security: [], scopes: [] };
  if (!Array.isArray(security))
    throw invalidAt(pointer, "security must be a list", "Write each alternative as an item.");
  const alternatives = security.filter(isObject);
  return {
    security: alternatives.map((alternative) => Object.keys(alternative)),
    scopes: alternatives.flatMap((alternative) =>
      Object.keys(alternative).map((name): [string, string[]] => [
        name,
        // What has other characters is no scope (RFC 6749, 3.3).
        arrayAt(alternative, name).filter(
          (scope): scope is string => typeof scope === "string" && /^[!#-[\]-~]+$/.test(scope),
        ),
      ]),
    ),
  };
}

/** All scopes that operations ask for, by the name of the scheme. */
export function listScopes(operations: readonly Operation[]): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const [name, scopes] of operations.flatMap((operation) => operation.scopes)) {
    found.set(name, new Set([...(found.get(name) ?? []), ...scopes]));
  }
  return new Map([...found].map(([name, scopes]) => [name, [...scopes].toSorted()]));
}
