import type { Habit } from "./habit.ts";

/** As github.com/google/jsonschema-go 0.3 (the Go SDK 1.x), invopop/jsonschema 0.13 and mark3labs/mcp-go 0.40 print. */
export const GO: Habit[] = [
  {
    habit: "structs are closed, slices and pointers may be null",
    printed: {
      type: "object",
      properties: {
        path: { type: "string", description: "the path" },
        tags: { type: ["null", "array"], items: { type: "string" } },
        data: { type: ["null", "array"], items: { type: "integer", minimum: 0, maximum: 255 } },
        next: { type: ["null", "object"], properties: { n: { type: "integer" } }, additionalProperties: false },
      },
      required: ["path"],
      additionalProperties: false,
    },
    accepted: [
      { path: "a", tags: null, data: [0, 255], next: null },
      { path: "a", tags: ["b"], next: { n: 1 } },
    ],
    refused: [{ path: "a", other: 1 }, { path: null }, { path: "a", data: [256] }],
  },
  {
    habit: "false as { not: {} }",
    printed: {
      type: "object",
      properties: { a: { type: "string" }, never: { not: {} } },
      additionalProperties: { not: {} },
    },
    accepted: [{}, { a: "x" }],
    refused: [{ b: 1 }, { never: null }],
  },
  {
    habit: "a root that is a reference, under an $id of the module",
    printed: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://github.com/acme/server/list-args",
      $ref: "#/$defs/ListArgs",
      $defs: {
        ListArgs: {
          type: "object",
          properties: {
            since: { type: "string", format: "date-time" },
            raw: true,
            bytes: { type: "string", contentEncoding: "base64" },
            byNumber: { type: "object", patternProperties: { "^[0-9]+$": { type: "string" } } },
            maybe: { oneOf: [{ type: "string" }, { type: "null" }] },
            order: { type: "string", enum: ["asc", "desc"], default: "asc" },
          },
          required: ["order"],
          additionalProperties: false,
        },
      },
    },
    accepted: [{}, { since: "2026-01-31T10:00:00Z", raw: [1], bytes: "AA==", byNumber: { "1": "a" }, maybe: null }],
    refused: [{ order: "up" }, { byNumber: { "1": 1 } }, { maybe: 1 }],
  },
  {
    habit: "no properties, or none that say anything",
    printed: { type: "object", properties: {}, required: [] },
    accepted: [{}, { a: 1 }],
    refused: [[]],
  },
  {
    habit: "a schema without a type",
    printed: { properties: { a: { type: "string" } }, required: null },
    accepted: [{}, { a: "x" }],
    refused: [{ a: 1 }, "a"],
  },
  {
    habit: "patterns in the syntax of RE2, which are not checked",
    printed: {
      type: "object",
      properties: { a: { type: "string", pattern: "(?s)\\A.*\\z" }, b: { type: "string", pattern: "[[:alpha:]]+" } },
    },
    accepted: [{ a: "x\ny" }],
    refused: [{ a: 1 }],
  },
];
