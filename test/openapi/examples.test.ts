import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { createOpenApiServer } from "../../openapi/server.ts";
import { connectApi } from "./connect-api.ts";
import { listUnresolved } from "./list-unresolved.ts";

const FOLDER = "node_modules/@readme/oas-examples";
/** The official examples of the specification and others that show one part of it each. */
const EXAMPLES = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((path) =>
  /^[23][^/]*\/json\/.*\.json$/.test(path),
);
/** Documents without an operation. */
const EMPTY = /webhooks\.|openapi-workshop\/title\.json$/;

test("examples of all versions are tools with valid names and schemas", async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  let tools = 0;
  for (const path of EXAMPLES) {
    if (EMPTY.test(path)) continue;
    const api = await createOpenApiServer(join(FOLDER, path), { mock: true });
    for (const { name, inputSchema, outputSchema = { type: "object" } } of api.tools) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      for (const schema of [inputSchema, outputSchema]) {
        expect(ajv.validateSchema(schema as object), `${path} ${name}`).toBe(true);
        expect(listUnresolved(schema)).toEqual([]);
        expect(schema.type).toBe("object");
      }
      tools += 1;
    }
  }
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(70);
  expect(tools).toBeGreaterThan(400);
});

// The client refuses structured content that does not fit the output schema.
test.each([
  "3.0/json/petstore-expanded.json",
  "3.0/yaml/uspto.yaml",
  "3.1/yaml/train-travel.yaml",
  "2.0/json/petstore.json",
])("every operation of %s answers when it is mocked, and the answer fits its schema", async (path) => {
  const { api, client, call } = await connectApi(join(FOLDER, path), { mock: true });
  await client.listTools();
  for (const { name, inputSchema } of api.tools) {
    const input = Object.fromEntries((inputSchema.required ?? []).map((argument) => [argument, "1"]));
    const result = await call(name, input);
    expect(result.isError, `${name}: ${result.text}`).toBe(false);
  }
});
