import { defined, fromMembers, type Json, type JsonObject, isObject, member, objectAt, textAt } from "../json.ts";
import type { LeaveOut } from "./left-out.ts";
import { followObject, invalidAt, type Placed, pointTo } from "./pointer.ts";
import { makeContent, textsAt, upgradeHeaders, upgradeParameters } from "./swagger-parameters.ts";

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch"]);
/** What an operation of both versions has. */
const KEPT = ["operationId", "tags", "summary", "description", "deprecated", "security"];

/**
 * Writes a Swagger 2.0 document as OpenAPI 3.0: servers, operations and logins. Schemas are read where they stand, in `definitions`: what they
 * say otherwise than 3.0, the conversion of schemas knows. Parts that operations refer to, in this file or others, are put in their place.
 * @param address where the document was read from; undefined for a file
 */
export function upgradeSwagger(root: JsonObject, address: URL | undefined, leaveOut: LeaveOut): JsonObject {
  const servers = serversOf(root, root, address);
  const { swagger: _, host: _host, basePath: _base, schemes: _schemes, securityDefinitions: _logins, ...rest } = root;
  const upgraded: JsonObject = { ...rest, openapi: "3.0.4", ...defined({ servers }) };
  upgraded["components"] = { securitySchemes: upgradeLogins(objectAt(root, "securityDefinitions") ?? {}) };
  const paths = Object.entries(objectAt(root, "paths") ?? {}).map(([path, item]) => {
    if (item === undefined || path.startsWith("x-")) return [path, item] as const;
    return [path, upgradePath(root, { value: item, pointer: pointTo("#/paths", path) }, address, leaveOut)] as const;
  });
  upgraded["paths"] = fromMembers(paths);
  return upgraded;
}

/** An operation that cannot be read leaves its path without it. A path that is no object stays, and is refused where paths are read. */
function upgradePath(root: JsonObject, item: Placed, address: URL | undefined, leaveOut: LeaveOut): Json {
  if (!isObject(item.value)) return item.value;
  try {
    const path = followObject(root, item.value, item.pointer, "a path");
    const shared = listParameters(root, path);
    const operations = Object.entries(path.value).filter(([method]) => METHODS.has(method));
    return fromMembers(
      operations.map(([method, operation]) => {
        const pointer = pointTo(path.pointer, method);
        try {
          const at = followObject(root, operation, pointer, "an operation");
          return [method, upgradeOperation(root, at, shared, address)];
        } catch (error) {
          leaveOut(pointer, error);
          return [method, undefined];
        }
      }),
    );
  } catch (error) {
    leaveOut(item.pointer, error);
    return {};
  }
}

function upgradeOperation(
  root: JsonObject,
  { value, pointer }: Placed<JsonObject>,
  shared: readonly Placed<JsonObject>[],
  address: URL | undefined,
): JsonObject {
  const merged = new Map<string, Placed<JsonObject>>();
  for (const parameter of [...shared, ...listParameters(root, { value, pointer })]) {
    const place = textAt(parameter.value, "in") ?? "";
    // There is one body, under any name.
    merged.set(
      place === "body" ? place : `${place} ${textAt(parameter.value, "name") ?? parameter.pointer}`,
      parameter,
    );
  }
  const consumes = textsAt(value, "consumes") ?? textsAt(root, "consumes") ?? [];
  const produces = textsAt(value, "produces") ?? textsAt(root, "produces") ?? [];
  const hasSchemes = textsAt(value, "schemes") !== undefined;
  return fromMembers([
    ...KEPT.map((name) => [name, member(value, name)] as const),
    ...Object.entries(upgradeParameters([...merged.values()], consumes)),
    ["responses", upgradeResponses(root, member(value, "responses"), pointTo(pointer, "responses"), produces)],
    ["servers", hasSchemes ? serversOf(root, value, address) : undefined],
  ]);
}

function listParameters(root: JsonObject, { value, pointer }: Placed<JsonObject>): Placed<JsonObject>[] {
  const list = member(value, "parameters");
  const at = pointTo(pointer, "parameters");
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw invalidAt(at, "parameters must be a list", "Write each parameter as an item.");
  return list.map((item, index) => followObject(root, item, pointTo(at, index), "a parameter"));
}

function upgradeResponses(
  root: JsonObject,
  responses: Json | undefined,
  pointer: string,
  produces: string[],
): Json | undefined {
  // What is wrong is said where responses are read.
  if (!isObject(responses)) return responses;
  return fromMembers(
    Object.entries(responses).map(([status, response]) => {
      if (status.startsWith("x-")) return [status, response];
      const { value } = followObject(root, response, pointTo(pointer, status), "a response");
      const headers = objectAt(value, "headers");
      return [
        status,
        defined({
          description: textAt(value, "description"),
          content: makeContent(value, produces),
          headers: headers === undefined ? undefined : upgradeHeaders(headers),
        }),
      ];
    }),
  );
}

/**
 * The addresses of a document, or of an operation with schemes of its own. Without schemes it is the one that the document came by; for a file,
 * the one that a login is safe with.
 */
function serversOf(root: JsonObject, holder: JsonObject, address: URL | undefined): Json[] | undefined {
  const basePath = textAt(root, "basePath") ?? "";
  const path = basePath === "" || basePath.startsWith("/") ? basePath : `/${basePath}`;
  const host = textAt(root, "host") ?? address?.host;
  if (host === undefined) return basePath === "" ? undefined : [{ url: path }];
  const all = textsAt(holder, "schemes") ?? textsAt(root, "schemes") ?? [];
  // No call goes over a web socket.
  const ofHttp = all.filter((scheme) => /^https?$/i.test(scheme));
  const said = ofHttp.length > 0 ? ofHttp : all;
  const schemes = said.length > 0 ? said : [address?.protocol.replace(/:$/, "") ?? "https"];
  return schemes.map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}

const FLOWS: Readonly<Record<string, string>> = { application: "clientCredentials", accessCode: "authorizationCode" };

function upgradeLogins(definitions: JsonObject): JsonObject {
  return fromMembers(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      isObject(definition) ? upgradeLogin(definition) : definition,
    ]),
  );
}

function upgradeLogin(definition: JsonObject): JsonObject {
  const type = textAt(definition, "type");
  const description = textAt(definition, "description");
  if (type === "basic") return { type: "http", scheme: "basic", ...defined({ description }) };
  if (type !== "oauth2") return definition;
  const flow = textAt(definition, "flow") ?? "implicit";
  const members = ["authorizationUrl", "tokenUrl", "scopes"].map((name) => [name, member(definition, name)] as const);
  return { type, flows: { [FLOWS[flow] ?? flow]: fromMembers(members) }, ...defined({ description }) };
}
