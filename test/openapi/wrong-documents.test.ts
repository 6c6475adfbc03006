import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createOpenApiServer, OpenApiError } from "../../openapi/server.ts";
import { makeTestFolder } from "../make-test-folder.ts";

const HEAD = 'openapi: 3.0.3\ninfo: { title: T, version: "1" }\n';
const operation = (text: string): string =>
  `${HEAD}paths:\n  /pets/{id}:\n    get:\n${text.replaceAll(/^/gm, "      ")}\n`;
const ID = "{ name: id, in: path, required: true, schema: { type: string } }";
const parameters = (text: string): string => operation(`parameters:\n  - ${ID}\n  - ${text}`);

/** Each document is wrong in one way. */
const WRONG: [name: string, text: string, message: string][] = [
  [
    "YAML with a mistake",
    `${HEAD}paths: {\n`,
    "a.yaml:4:1: Flow map in block collection must be sufficiently indented and end with a }",
  ],
  ["JSON with a mistake", '{"openapi": "3.0.0"\n "info": {}}', "a.yaml:2:2: Missing , between flow map items"],
  ["a text", "hello", "a.yaml: #: this is no OpenAPI document, but a text, number or list"],
  [
    "no version",
    "info: { title: T }",
    'a.yaml: #: neither "openapi" nor "swagger" says the version of the specification',
  ],
  ["another version", "openapi: 4.0.0", 'a.yaml:1: #/openapi: version "4.0.0" is not known; 2.0, 3.0, 3.1 and 3.2 are'],
  ["no info", "openapi: 3.0.0\npaths: {}", "a.yaml: #: info is missing"],
  ["no title", "openapi: 3.0.0\ninfo: {}\npaths: {}", "a.yaml:2: #/info: title is missing"],
  ["no paths", HEAD, "a.yaml: #: paths is missing, so there is no operation"],
  ["paths as a list", `${HEAD}paths: []`, "a.yaml:3: #/paths: it must be an object with a member for each path"],
  ["no operation", `${HEAD}paths: {}`, "a.yaml:3: #/paths: there is no operation in the document"],
  ["a path without /", `${HEAD}paths:\n  pets: {}`, "a.yaml:4: #/paths/pets: a path must begin with /"],
  ["a path that is a text", `${HEAD}paths:\n  /pets: get`, "a.yaml:4: #/paths/~1pets: a path must be an object"],
  [
    "an operation that is a text",
    `${HEAD}paths:\n  /pets:\n    get: yes`,
    "a.yaml:5: #/paths/~1pets/get: an operation must be an object",
  ],
  [
    "a path parameter that is missing",
    operation("responses: {}"),
    "a.yaml:5: #/paths/~1pets~1{id}/get: {id} of the path has no parameter",
  ],
  [
    "parameters that are no list",
    operation("parameters: {}"),
    "a.yaml:6: #/paths/~1pets~1{id}/get/parameters: parameters must be a list",
  ],
  [
    "a parameter without a name",
    parameters("in: query"),
    "a.yaml:8: #/paths/~1pets~1{id}/get/parameters/1: the parameter has no name",
  ],
  [
    "a parameter in an unknown place",
    parameters("{ name: a, in: form }"),
    'a.yaml:8: #/paths/~1pets~1{id}/get/parameters/1: "in" of parameter a is none of path, query, header, cookie',
  ],
  [
    "a parameter without a schema",
    parameters("{ name: a, in: query }"),
    "a.yaml:8: #/paths/~1pets~1{id}/get/parameters/1: parameter a has neither schema nor content",
  ],
  [
    "a style of another place",
    parameters("{ name: a, in: query, style: matrix, schema: {} }"),
    'a.yaml:8: #/paths/~1pets~1{id}/get/parameters/1: style matrix of parameter a is not for "in: query"',
  ],
  [
    "a reference to nothing",
    parameters('{ $ref: "#/components/parameters/A" }'),
    'a.yaml:8: #/paths/~1pets~1{id}/get/parameters/1: $ref "#/components/parameters/A" leads to nothing',
  ],
  [
    "a schema that refers to nothing",
    parameters('{ name: a, in: query, schema: { $ref: "#/components/schemas/A" } }'),
    'a.yaml:8: #/paths/~1pets~1{id}/get/parameters/1/schema: $ref "#/components/schemas/A" leads to nothing',
  ],
  [
    "an anchor",
    parameters('{ $ref: "#A" }'),
    'a.yaml:8: #/paths/~1pets~1{id}/get/parameters/1: $ref "#A" is no path within the document',
  ],
  [
    "a file that is missing",
    parameters("{ $ref: b.yaml }"),
    "a.yaml:8: #/paths/~1pets~1{id}/get/parameters/1: FOLDER/b.yaml cannot be read: there is no such file",
  ],
  [
    "a body that is a text",
    operation(`parameters: [${ID}]\nrequestBody: json`),
    "a.yaml:7: #/paths/~1pets~1{id}/get/requestBody: requestBody must be an object",
  ],
  [
    "content that is a text",
    operation(`parameters: [${ID}]\nrequestBody: { content: json }`),
    "a.yaml:7: #/paths/~1pets~1{id}/get/requestBody/content: content must be an object",
  ],
  [
    "an unknown status",
    operation(`parameters: [${ID}]\nresponses: { ok: { description: x } }`),
    'a.yaml:7: #/paths/~1pets~1{id}/get/responses/ok: "ok" is no status',
  ],
  [
    "responses that are a list",
    operation(`parameters: [${ID}]\nresponses: []`),
    "a.yaml:7: #/paths/~1pets~1{id}/get/responses: responses must be an object",
  ],
  [
    "security that is a text",
    operation(`parameters: [${ID}]\nsecurity: key`),
    "a.yaml:7: #/paths/~1pets~1{id}/get/security: security must be a list",
  ],
  [
    "no server",
    operation(`parameters: [${ID}]`),
    "a.yaml:5: #/paths/~1pets~1{id}/get: the document does not say at which address the server is",
  ],
  [
    "a server without a scheme",
    `servers: [{ url: api.example }]\n${operation(`parameters: [${ID}]`)}`,
    "a.yaml:6: #/paths/~1pets~1{id}/get: the document does not say at which address the server is",
  ],
  [
    "Swagger 2.0 without paths",
    "swagger: 2.0\ninfo: { title: T }",
    "a.yaml: #: paths is missing, so there is no operation",
  ],
];

test.each(WRONG)("%s is one clear line with the place", async (_, text, message) => {
  const folder = await makeTestFolder();
  await writeFile(join(folder, "a.yaml"), text);
  const error = await createOpenApiServer(join(folder, "a.yaml")).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(OpenApiError);
  const { message: said, hint } = error as OpenApiError;
  expect(said.replaceAll(folder, "FOLDER").slice(0, message.length)).toBe(message);
  expect(`${said}${hint}`).not.toContain("\n");
  expect(hint.length).toBeGreaterThan(10);
});

test("a file that is missing, a folder and a directory of a device are no documents", async () => {
  const folder = await makeTestFolder();
  await expect(createOpenApiServer(join(folder, "none.yaml"))).rejects.toThrow("there is no such file");
  await expect(createOpenApiServer(folder)).rejects.toThrow("it is no file");
  await expect(createOpenApiServer("/dev/zero")).rejects.toThrow("it is no file");
  await expect(createOpenApiServer("https://user:secret@api.example/a.yaml")).rejects.toThrow(
    "is not valid, or has a user name in it",
  );
});
