import type { Habit } from "./habit.ts";

/** As victools jsonschema-generator 4.38 prints for Spring AI 1.0 and the Java SDK; Jackson reads the inputs. */
export const JAVA: Habit[] = [
  {
    habit: "formats of numbers, and everything required",
    printed: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        count: { type: "integer", format: "int32" },
        total: { type: "integer", format: "int64" },
        ratio: { type: "number", format: "double" },
        unit: { type: "string", enum: ["METRIC", "US"], default: "METRIC" },
        name: { type: ["string", "null"] },
      },
      required: ["count", "unit"],
      additionalProperties: false,
    },
    accepted: [{ count: 1 }, { count: 1, total: 2, ratio: 1, unit: "US", name: null }],
    refused: [{}, { count: 1.5 }, { count: 1, unit: "us" }],
  },
  {
    habit: "LocalDateTime, LocalTime, LocalDate, Duration",
    printed: {
      type: "object",
      properties: {
        at: { type: "string", format: "date-time" },
        time: { type: "string", format: "time" },
        day: { type: "string", format: "date" },
        for: { type: "string", format: "duration" },
      },
    },
    accepted: [
      { at: "2026-01-31T10:00:00", time: "10:15", day: "2026-01-31", for: "PT1H" },
      { at: "2026-01-31T10:00" },
    ],
    refused: [{ at: "soon" }, { time: "noon" }, { day: "31.1.2026" }],
  },
  {
    habit: "a class of itself, with an anyOf for null",
    printed: {
      type: "object",
      $defs: {
        Node: {
          type: "object",
          properties: { name: { type: "string" }, next: { anyOf: [{ type: "null" }, { $ref: "#/$defs/Node" }] } },
        },
        "Node-nullable": { anyOf: [{ type: "null" }, { $ref: "#/$defs/Node" }] },
      },
      properties: { node: { $ref: "#/$defs/Node-nullable" }, map: { type: "object", additionalProperties: {} } },
      required: ["node"],
    },
    accepted: [{ node: null }, { node: { name: "a", next: { next: null } }, map: { a: 1 } }],
    refused: [{ node: 1 }, {}],
  },
];
