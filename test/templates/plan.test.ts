import { describe, expect, it } from "vitest";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import { emitServer } from "../../templates/emit.ts";
import { emitPackage } from "../../templates/generated-package.ts";
import { planServer, schemaProblemsOf } from "../../templates/plan.ts";
import { lockedServer, lockfileOf } from "./lockfile-of.ts";

const text = { type: "string" };

describe("planServer", () => {
  it("gives each tool a file of its own where case does not count", () => {
    const plan = planServer(lockedServer("a", [{ name: "get" }, { name: "Get" }, { name: "GET" }, { name: "aux" }]));
    expect(plan.tools.map((tool) => tool.file)).toEqual(["tools/GET", "tools/Get-2", "tools/aux-", "tools/get-3"]);
  });

  it("gives each server a folder of its own name, which is where programs look for it", async () => {
    const ids = ["con", "a".repeat(150)];
    for (const id of ids) {
      const files = await emitServer(planServer(lockedServer(id, [{ name: "echo" }])));
      expect(files.map(({ path }) => path.split("/")[0])).toEqual(files.map(() => id));
    }
    const manifest = JSON.parse(emitPackage(ids).text) as { exports: Record<string, unknown> };
    expect(Object.keys(manifest.exports)).toEqual([`./${"a".repeat(150)}`, "./con", "./package.json"]);
  });

  it("names types after the export, never twice in one server, never like a binding", () => {
    const plan = planServer(lockedServer("a", [{ name: "get_item" }, { name: "get-item" }, { name: "GetItemOutput" }]));
    expect(plan.tools.map((tool) => [tool.exportName, tool.inputType, tool.outputType])).toEqual([
      ["GetItemOutput", "GetItemOutputInput", "GetItemOutputOutput"],
      ["get_item", "GetItemInput", "GetItemOutput2"],
      ["get_item__2", "GetItem2Input", "GetItem2Output"],
    ]);
  });

  it("says of each tool alone what is wrong with it", () => {
    const broken = { type: "object", properties: { a: { $ref: "#/nowhere" }, b: { type: "string", pattern: "(" } } };
    const { servers } = lockfileOf({
      one: [
        { name: "fine", inputSchema: { type: "object" } },
        { name: "broken", inputSchema: broken },
        { name: "none" },
      ],
      two: [{ name: "output", inputSchema: {}, outputSchema: { type: "objekt" } }],
    });
    const problems = [...servers.values()].flatMap((server) => planServer(server).problems);
    expect([...servers.values()].flatMap(schemaProblemsOf)).toEqual(problems);
    expect(problems.map(({ toolName, schema, pointer }) => [toolName, schema, pointer])).toEqual([
      ["broken", "inputSchema", "/properties/a/$ref"],
      ["broken", "inputSchema", "/properties/b/pattern"],
      ["none", "inputSchema", ""],
      ["output", "outputSchema", "/type"],
    ]);
  });

  it("lets nothing be left out of a call that needs an argument", () => {
    const schemas = {
      closed: { type: "object", additionalProperties: false },
      optional: { type: "object", properties: { a: text } },
      required: { type: "object", properties: { a: text }, required: ["a"] },
      counted: { type: "object", minProperties: 1 },
      chosen: { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      list: { type: "array" },
    };
    const tools = Object.entries(schemas).map(([name, inputSchema]) => ({ name, inputSchema }));
    const optional = planServer(lockedServer("a", tools)).tools.filter((tool) => tool.inputOptional);
    expect(optional.map((tool) => tool.toolName)).toEqual(["closed", "optional"]);
  });

  it("refuses names that a lockfile could not have, before they become code or a path", () => {
    const server = lockedServer("a", [{ name: "echo" }]);
    const [tool] = server.tools as [LockedTool];
    expect(() => planServer({ ...server, id: "../evil" })).toThrow("no server id");
    expect(() => planServer({ ...server, tools: [{ ...tool, exportName: "a(){}" }] })).toThrow("no export name");
    expect(() => planServer({ ...server, tools: [tool, tool] })).toThrow("not the only one");
  });
});
