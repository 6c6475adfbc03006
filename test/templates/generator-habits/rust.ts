import type { Habit } from "./habit.ts";

/** As schemars 0.8 (draft-07) and 1.0 (2020-12) print for rmcp; serde reads the inputs. */
export const RUST: Habit[] = [
  {
    habit: "schemars 0.8: formats of numbers, Option and references",
    printed: {
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "Args",
      type: "object",
      required: ["count", "ratio"],
      properties: {
        count: { type: "integer", format: "uint32", minimum: 0.0 },
        ratio: { type: "number", format: "double" },
        size: { type: ["integer", "null"], format: "int64" },
        letter: { type: "string", maxLength: 1, minLength: 1 },
        mode: { description: "The mode.", default: "fast", allOf: [{ $ref: "#/definitions/Mode" }] },
        other: { anyOf: [{ $ref: "#/definitions/Mode" }, { type: "null" }] },
        rest: true,
      },
      definitions: {
        Mode: {
          oneOf: [
            { description: "Quick.", type: "string", enum: ["fast"] },
            { type: "string", enum: ["slow"] },
          ],
        },
      },
    },
    accepted: [
      { count: 4294967295, ratio: 1, size: null, letter: "ß", mode: "slow", other: null, rest: {} },
      { count: 0, ratio: 0.5, letter: "🙂" },
    ],
    refused: [{ count: -1, ratio: 1 }, { count: 1 }, { count: 1, ratio: 1, mode: "none" }],
  },
  {
    habit: "schemars 1: references with siblings, const and nullable",
    printed: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Args",
      type: "object",
      properties: {
        mode: { description: "The mode.", $ref: "#/$defs/Mode", default: "fast" },
        id: { type: "string", format: "uuid" },
        url: { type: "string", format: "uri" },
        pair: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], minItems: 2, maxItems: 2 },
        action: {
          oneOf: [
            { type: "object", properties: { type: { type: "string", const: "stop" } }, required: ["type"] },
            {
              type: "object",
              properties: { type: { type: "string", const: "go" }, to: { type: "string" } },
              required: ["type", "to"],
            },
          ],
        },
      },
      required: ["mode"],
      $defs: {
        Mode: {
          oneOf: [
            { type: "string", const: "fast" },
            { type: "string", const: "slow" },
          ],
        },
      },
    },
    accepted: [
      {},
      { mode: "slow", id: "6fa459eaee8a4ca4894edb77e160355e", url: "file:///tmp/a b", pair: ["a", 1] },
      { action: { type: "stop" } },
      { action: { type: "go", to: "a" } },
    ],
    refused: [{ mode: "none" }, { action: { type: "go" } }, { pair: ["a"] }],
  },
  {
    habit: "schemars 0.8 with OpenAPI settings: nullable beside anything",
    printed: {
      type: "object",
      properties: {
        a: { type: "string", nullable: true },
        b: { nullable: true, allOf: [{ $ref: "#/definitions/Mode" }] },
        c: { $ref: "#/definitions/Mode", nullable: true },
        d: { enum: ["x", "y"], nullable: true },
        e: { const: "x", nullable: true, default: "x" },
        f: { type: "array", items: [{ type: "string" }], nullable: true, anyOf: [{ minItems: 1 }] },
      },
      definitions: { Mode: { type: "string", enum: ["fast", "slow"] } },
    },
    accepted: [
      { a: null, b: null, c: null, d: null, e: null, f: null },
      { a: "a", b: "fast", c: "slow", d: "x", e: "x", f: ["a"] },
    ],
    refused: [{ a: 1 }, { b: "x" }, { d: "z" }, { e: "y" }, { f: [1] }],
  },
  {
    habit: "draft-04: exclusive bounds that are true",
    printed: {
      $schema: "http://json-schema.org/draft-04/schema#",
      type: "object",
      properties: { n: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false } },
    },
    accepted: [{ n: 0.1 }, { n: 5 }],
    refused: [{ n: 0 }, { n: 5.1 }],
  },
];
