import { describe, expect, it } from "vitest";
import { makeDiscovery } from "../../../runtime/host/discovery/make-discovery.ts";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";

const inputSchema = { type: "object", properties: { city: { type: "string" } } };
const tools = [
  { name: "book-trip", description: "Books a trip.", inputSchema, annotations: { readOnlyHint: false } },
  ...Array.from({ length: 60 }, (_, index) => ({ name: `trip-${index}`, inputSchema })),
];
const discover = makeDiscovery(lockfileOf({ trips: tools }), (tool) => `function ${tool.exportName}()`);

function ask(question: string, details: JsonObject): JsonValue {
  const reply = discover(question, details);
  if (!reply.ok) throw new Error(`${reply.error.errorClass}: ${reply.error.message} ${reply.error.hint}`);
  return reply.value;
}

const definition = {
  toolName: "book-trip",
  exportName: "book_trip",
  description: "Books a trip.",
  annotations: { readOnlyHint: false },
  signature: "function book_trip()",
};

describe("a tool is described with its signature", () => {
  it("by getTool, with the schemas", () => {
    expect(ask("getTool", { serverId: "trips", toolName: "book_trip" })).toEqual({ ...definition, inputSchema });
  });

  it.each([
    ["name", { toolName: "book-trip", exportName: "book_trip" }],
    ["description", definition],
    ["full", { ...definition, inputSchema }],
  ])("by lists and searches as the level %s says", (detail, described) => {
    expect((ask("listTools", { serverId: "trips", detail }) as JsonValue[])[0]).toEqual(described);
    const { results } = ask("searchTools", { query: "book trip", detail }) as { results: JsonValue[] };
    expect(results[0]).toEqual({ serverId: "trips", ...described });
  });
});

describe("a search", () => {
  const count = (details: JsonObject): number =>
    (ask("searchTools", { query: "trip", ...details }) as { results: JsonValue[] }).results.length;

  it("has ten results unless another number is asked for, and never more than fifty", () => {
    expect([count({}), count({ limit: 3 }), count({ limit: 1000 })]).toEqual([10, 3, 50]);
  });

  it.each<[JsonObject, string]>([
    [{ detail: "all" }, '"detail" must be "name", "description" or "full"'],
    [{ limit: -1 }, '"limit" must be a whole number'],
    [{ limit: 1.5 }, '"limit" must be a whole number'],
    [{ limit: "3" }, '"limit" must be a whole number'],
    [{ serverId: 1 }, '"serverId" must be a string'],
    [{ serverId: "trip" }, 'ServerNotFoundError: There is no server "trip". Did you mean "trips"?'],
    [{ query: null }, '"query" must be a string'],
  ])("with the options %j is refused", (details, message) => {
    expect(() => count(details)).toThrow(message);
  });
});
