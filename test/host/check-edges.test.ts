import { expect, test } from "vitest";
import { holdPrinted } from "@codemode/runtime/connections/printed-content";
import { makeInputCheck } from "../../runtime/host/checks/input-check.ts";
import { makeOutputCheck } from "../../runtime/host/checks/output-check.ts";
import { reviewManifest } from "../../runtime/host/checks/review-manifest.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";

const toolOf = (inputSchema: JsonValue, outputSchema: JsonValue): LockedTool =>
  lockfileOf({ s: [{ name: "t", inputSchema, outputSchema }] }).servers.get("s")?.tools[0] as LockedTool;

test("a schema is compiled once for each tool, and another tool has its own", () => {
  const [text, number] = [{ type: "string" }, { type: "number" }];
  const [inputs, outputs] = [makeInputCheck(), makeOutputCheck()];
  for (let time = 0; time < 2; time += 1) {
    for (const [schema, value] of [
      [text, 1],
      [number, "x"],
    ] as const) {
      const tool = toolOf({ type: "object", properties: { a: schema } }, schema);
      expect(inputs(tool, { a: value })).toHaveLength(1);
      expect(outputs(tool, { structuredContent: value })).toMatch(/^it should be (string|number)/);
    }
  }
  const tool = toolOf(text, text);
  const broken = { ...toolOf(number, number), integrity: tool.integrity };
  inputs(tool, {});
  expect(inputs(broken, "x")).toEqual(inputs(tool, "x"));
});

test("a schema that the compiler gives up on checks nothing: the server's own check remains", () => {
  const names = Array.from({ length: 300 }, (_, index) => `d${index}`);
  const chain = names.map((name, index) => [name, { allOf: [{ $ref: `#/$defs/${names[index + 1] ?? "end"}` }] }]);
  const $defs = { ...(Object.fromEntries(chain) as JsonObject), end: { type: "string" } };
  const schema: JsonValue = { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, required: ["a"], $defs };
  const tool = toolOf(schema, schema);
  expect(makeInputCheck()(tool, { a: 1 })).toEqual([]);
  expect(makeOutputCheck()(tool, { structuredContent: { a: 1 } })).toBeUndefined();
});

test("a text that turns out to be no JSON is said so", () => {
  const result: JsonObject = { content: [] };
  holdPrinted(result, Buffer.from("{nonsense"));
  expect(makeOutputCheck()(toolOf(true, { type: "object" }), result)).toBe("it is not JSON");
});

test("an approval is for the tools of a manifest, each by its server, its name and its form", () => {
  const lockfile = lockfileOf({ a: [{ name: "t" }, { name: "u" }], b: [{ name: "t", annotations: [] }] });
  const digestOf = (...tools: [string, string, string][]): unknown => {
    const manifest = {
      tools: tools.map(([serverId, toolName, form]) => ({
        ...{ serverId, toolName, exportName: toolName, integrity: `sha256-${form}` as const },
      })),
    };
    const outcome = reviewManifest({ code: "1", manifest }, lockfile, ownAccess({ ...DEFAULTS.policy, ask: ["*"] }));
    return outcome.kind === "ask" ? outcome.request.digest : outcome.kind;
  };
  const digests = [
    ...[digestOf(["a", "t", "1"]), digestOf(["b", "t", "1"]), digestOf(["a", "u", "1"]), digestOf(["a", "t", "2"])],
    digestOf(["a", "t", "1"], ["gone", "t", "1"]),
  ];
  expect(new Set(digests).size).toBe(5);
  expect(digestOf(["gone", "t", "1"])).toBe("allowed");
});
