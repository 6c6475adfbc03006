import { resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { createOpenApiServer } from "../../openapi/server.ts";
import { connectApi } from "./connect-api.ts";
import { listUnresolved } from "./list-unresolved.ts";

const GITHUB = resolve("test/openapi/documents/node_modules/@octokit/openapi/generated/api.github.com.json");
const MEGABYTE = 1024 * 1024;

test("every operation of GitHub's document is a tool with valid schemas, in pages that a client takes", async () => {
  const { api, client } = await connectApi(GITHUB, { mock: true });
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  expect(api.tools.length).toBeGreaterThan(1_000);
  for (const { name, description, inputSchema, outputSchema = { type: "object" } } of api.tools) {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(description?.length).toBeLessThan(1_300);
    for (const schema of [inputSchema, outputSchema]) {
      expect(ajv.validateSchema(schema as object), name).toBe(true);
      expect(listUnresolved(schema), name).toEqual([]);
    }
  }
  expect(new Set(api.tools.map(({ name }) => name)).size).toBe(api.tools.length);
  expect(JSON.stringify(api.tools).length).toBeLessThan(8 * MEGABYTE);
  const listed = await client.listTools();
  expect(listed.tools.length).toBe(api.tools.length);
});

test("a mocked answer of each group of operations fits the schema that its tool has", async () => {
  const { tools } = await createOpenApiServer(GITHUB, { mock: true });
  // The first operation of each group, such as repos or issues.
  const groups = new Map(tools.map((tool) => [tool.name.split("_")[0], tool] as const).toReversed());
  // Those alone, because the client compiles the schemas of all tools that are listed.
  const sent = [...groups.values()].map(({ description = "" }) => description.split("\n").at(-1) ?? "");
  const include = sent.map((words) => words.replace(/ \(deprecated\)$/, ""));
  const { client, call } = await connectApi(GITHUB, { mock: true, include });
  expect((await client.listTools()).tools.map(({ name }) => name).toSorted()).toEqual(
    [...groups.values()].map(({ name }) => name).toSorted(),
  );
  const misfits: string[] = [];
  for (const { name, inputSchema } of groups.values()) {
    const input = Object.fromEntries((inputSchema.required ?? []).map((argument) => [argument, "1"]));
    await call(name, input).catch((error: Error) => misfits.push(`${name}: ${error.message}`));
  }
  expect(groups.size).toBeGreaterThan(30);
  expect(misfits).toEqual([]);
});
