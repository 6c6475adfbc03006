import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parseDocument } from "../../openapi/document/parse-document.ts";
import { listOperations } from "../../openapi/operations.ts";
import { makeTestFolder } from "../make-test-folder.ts";

/** What a document reads and what is beside it: a server for the same files, and one of another host. */
let folder: string;
let origin: string;
const asked: string[] = [];
const files = new Map<string, string>();
const server = createServer((request, response) => {
  asked.push(`${request.headers.host === new URL(origin).host ? "" : "other"}${request.url}`);
  const location = /^\/to\/(.*)$/.exec(request.url ?? "")?.[1];
  if (location !== undefined) {
    response.writeHead(302, { location: decodeURIComponent(location) }).end();
    return;
  }
  const text = files.get(request.url ?? "");
  response.writeHead(text === undefined ? 404 : 200).end(text);
});

beforeEach(async () => {
  folder = await makeTestFolder();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function write(path: string, text: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  files.set(`/${path}`, text);
  return file;
}

const SPLIT = `openapi: 3.1.0
info: { title: Pets, version: "1" }
paths:
  /pets:
    $ref: paths/pets.yaml
`;
const PETS = `get:
  operationId: listPets
  parameters:
    - $ref: ../parts/parameters.json#/limit
  responses:
    200:
      description: pets
      content: { application/json: { schema: { $ref: "../parts/pet.yaml" } } }
`;
const PARAMETERS = '{ "limit": { "name": "limit", "in": "query", "schema": { "type": "integer" } } }';
const PET = `type: object
properties: { name: { type: string }, friend: { $ref: "#" } }
`;

async function writeSplit(): Promise<string> {
  await write("split/paths/pets.yaml", PETS);
  await write("split/parts/parameters.json", PARAMETERS);
  await write("split/parts/pet.yaml", PET);
  return write("split/openapi.yaml", SPLIT);
}

const failure = (location: string): Promise<string> =>
  parseDocument(location).then(
    () => "no error",
    (error: Error) => error.message.replaceAll(folder, "FOLDER").replaceAll(origin, "ORIGIN"),
  );

test("a document in several files is one, from a folder and from an address", async () => {
  const fromFile = await parseDocument(await writeSplit());
  const fromAddress = await parseDocument(`${origin}/split/openapi.yaml`);
  for (const document of [fromFile, fromAddress]) {
    const [operation] = listOperations(document);
    expect(operation).toMatchObject({ id: "listPets", method: "GET", path: "/pets" });
    expect(operation?.parameters).toMatchObject([{ name: "limit", place: "query", explode: true }]);
    expect(JSON.stringify(document.root)).not.toMatch(/\$ref":"[^#]/);
  }
  expect(fromAddress.address?.href).toBe(`${origin}/split/openapi.yaml`);
  expect(fromFile.digest).toBe(fromAddress.digest);
});

test("the digest is of all files of a document", async () => {
  const file = await writeSplit();
  const { digest } = await parseDocument(file);
  expect((await parseDocument(file)).digest).toBe(digest);
  await write("split/parts/pet.yaml", `${PET}# changed\n`);
  expect((await parseDocument(file)).digest).not.toBe(digest);
});

test("Swagger 2.0 is upgraded, also with properties whose names are keywords", async () => {
  const document = await parseDocument({
    swagger: "2.0",
    info: { title: "old", version: "1" },
    host: "api.example",
    basePath: "/v1",
    schemes: ["https"],
    paths: {
      "/a/{id}": {
        post: {
          parameters: [
            { in: "path", name: "id", required: true, type: "string" },
            { in: "query", name: "tags", type: "array", items: { type: "string" }, collectionFormat: "pipes" },
            { in: "body", name: "thing", required: true, schema: { $ref: "#/definitions/Thing" } },
          ],
          responses: { 200: { description: "done", schema: { $ref: "#/definitions/Thing" } } },
        },
      },
    },
    definitions: { Thing: { type: "object", properties: { example: { type: "string" }, type: { type: "string" } } } },
  });
  const [operation] = listOperations(document);
  expect(document.version).toBe("2.0");
  expect(operation).toMatchObject({ servers: [{ url: "https://api.example/v1" }], body: { required: true } });
  expect(operation?.parameters[1]).toMatchObject({ style: "pipeDelimited", explode: false });
  expect(document.root).toMatchObject({
    definitions: { Thing: { properties: { example: { type: "string" }, type: { type: "string" } } } },
  });
});

test("a reference leaves neither the folder of a file nor the origin of an address", async () => {
  const document = (reference: string): string =>
    JSON.stringify({ openapi: "3.1.0", info: { title: "x", version: "1" }, paths: { "/a": { $ref: reference } } });
  await write("secret.json", '{"get":{}}');
  await mkdir(join(folder, "inner"), { recursive: true });
  await symlink(join(folder, "secret.json"), join(folder, "inner/link.json"));
  const fromFile = async (reference: string): Promise<string> =>
    failure(await write("inner/a.json", document(reference)));
  const outside = "it is outside of the folder of the document";
  expect(await fromFile("../secret.json")).toBe(
    `a.json:1: #/paths/~1a: a reference to FOLDER/secret.json is refused: ${outside}`,
  );
  expect(await fromFile("link.json")).toContain(outside);
  expect(await fromFile("/etc/passwd")).toContain(outside);
  expect(await fromFile("file:///etc/passwd")).toContain("there is no such file");
  expect(await fromFile(`${origin}/split/paths/pets.yaml`)).toContain("is an address, and the document is a file");

  const fromAddress = async (reference: string): Promise<string> => {
    files.set("/inner/a.json", document(reference));
    return failure(`${origin}/inner/a.json`);
  };
  const before = asked.length;
  expect(await fromAddress("http://localhost:1/a.json")).toBe(
    "ORIGIN/inner/a.json:1: #/paths/~1a: a reference to http://localhost:1/a.json is refused: it is not at ORIGIN, where the document is",
  );
  expect(await fromAddress(origin.replace("127.0.0.1", "localhost"))).toContain("is refused");
  expect(await fromAddress("file:///etc/passwd")).toMatch(/is refused|answers 404/);
  const elsewhere = origin.replace("127.0.0.1", "localhost");
  expect(await fromAddress(`/to/${encodeURIComponent(`${elsewhere}/secret.json`)}`)).toContain("it answers 302");
  expect(asked.slice(before).filter((path) => path.startsWith("other"))).toEqual([]);
});

test("what looks like a reference in an example or a default is not followed", async () => {
  const outside = { $ref: "https://other.example/a.json" };
  const schema = {
    type: "object",
    properties: { default: { type: "string" } },
    example: outside,
    default: { a: outside },
    enum: [outside],
    examples: [outside],
  };
  const media = { schema, examples: { one: { value: { inner: outside } } } };
  const responses = { 200: { description: "ok", content: { "application/json": media } } };
  const paths = { "/a": { get: { responses, "x-more": outside } } };
  const document = await parseDocument({ openapi: "3.1.0", info: { title: "x", version: "1" }, paths });
  expect(JSON.stringify(document.root)).not.toContain("other.example");
  const followed = {
    get: {
      responses: {
        200: { description: "ok", content: { "application/json": { schema: { properties: { default: outside } } } } },
      },
    },
  };
  const refused = parseDocument({ openapi: "3.1.0", info: { title: "x", version: "1" }, paths: { "/a": followed } });
  await expect(refused).rejects.toThrow(
    "/schema/properties/default: a reference to https://other.example/a.json cannot be followed",
  );
});

test("a document that is too deep, or grows by aliases, is refused", async () => {
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [index, name] of "bcdefghi".split("").entries()) {
    const before = "abcdefghi"[index];
    bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(", ")}]`);
  }
  expect(await failure(await write("bomb.yaml", bomb.join("\n")))).toBe("bomb.yaml: aliases of YAML repeat too much");
  expect(await failure(await write("circle.yaml", "a: &a\n  b: *a\n"))).toContain("nested in each other");
  const deep = (open: string, close: string): string => open.repeat(20_000) + close.repeat(20_000);
  expect(await failure(await write("deep.json", deep("[", "]")))).toContain("nested in each other");
  expect(await failure(await write("deep.yaml", `a: ${deep("[", "]")}`))).toContain("nested in each other");
});

test("a reference to an address keeps its query, and two of the same path are two", async () => {
  const kind = (name: string): string => JSON.stringify({ Kind: { title: name, $ref: "more/shared.json#/Shared" } });
  await write("kinds.json?of=pets", kind("pets"));
  await write("kinds.json?of=trains", kind("trains"));
  await write("more/shared.json", JSON.stringify({ Shared: { type: "string" } }));
  const schema = (reference: string): object => ({
    200: { description: "ok", content: { "application/json": { schema: { $ref: reference } } } },
  });
  await write(
    "asking.json",
    JSON.stringify({
      ...{ openapi: "3.1.0", info: { title: "Test", version: "1" } },
      paths: {
        "/pets": { get: { responses: schema("kinds.json?of=pets#/Kind") } },
        "/trains": { get: { responses: schema(`${origin}/kinds.json?of=trains#/Kind`) } },
      },
    }),
  );
  asked.length = 0;
  const { root } = await parseDocument(`${origin}/asking.json`);
  expect(asked.toSorted()).toEqual([
    "/asking.json",
    "/kinds.json?of=pets",
    "/kinds.json?of=trains",
    "/more/shared.json",
  ]);
  const titles = Object.values(root["x-ext"] as Record<string, { Kind?: { title: string } }>);
  expect(titles.flatMap(({ Kind }) => Kind?.title ?? []).toSorted()).toEqual(["pets", "trains"]);
});

test("parts of Swagger 2.0 in other files are upgraded", async () => {
  const ref = (place: string): object => ({ $ref: `parts.json#/${place}` });
  const parts = {
    path: {
      parameters: [ref("limit")],
      get: { operationId: "list", produces: ["application/json"], responses: { 200: ref("found"), 404: ref("found") } },
      post: { operationId: "add", parameters: [ref("body")], responses: { 200: ref("found") } },
    },
    limit: { name: "limit", in: "query", type: "integer" },
    body: { name: "body", in: "body", schema: ref("Pet") },
    found: { description: "found", schema: ref("Pet") },
    Pet: { type: "object", properties: { name: { type: "string" } } },
  };
  const document = (paths: object): string =>
    JSON.stringify({
      swagger: "2.0",
      info: { title: "Test", version: "1" },
      host: "api.example",
      produces: ["application/json"],
      paths,
    });
  await write("parts.json", JSON.stringify(parts));
  const read = await parseDocument(await write("main.json", document({ "/pets": ref("path") })));
  const [list, add] = listOperations(read);
  expect(list?.parameters).toMatchObject([{ name: "limit", schema: { value: { type: "integer" } } }]);
  expect(list?.responses.map(({ content }) => content[0]?.mediaType)).toEqual(["application/json", "application/json"]);
  expect(add?.body?.content[0]?.value).toHaveProperty("schema");
  const twice = await parseDocument(await write("twice.json", document({ "/a": ref("path"), "/b": ref("path") })));
  expect(listOperations(twice).map(({ path, method }) => `${method} ${path}`)).toEqual([
    ...["GET /a", "POST /a", "GET /b", "POST /b"],
  ]);
});
