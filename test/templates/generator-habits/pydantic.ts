import type { Habit } from "./habit.ts";

const UUID = "6fa459ea-ee8a-4ca4-894e-db77e160355e";

/** As pydantic 2.11 prints arguments of functions for FastMCP 2 and the Python SDK 1.x, and pydantic 1.10 its models. */
export const PYDANTIC: Habit[] = [
  {
    habit: "Optional[str] = None, with titles",
    printed: {
      type: "object",
      title: "searchArguments",
      properties: {
        query: { title: "Query", type: "string" },
        after: { anyOf: [{ type: "string" }, { type: "null" }], default: null, title: "After" },
        limit: { default: 10, title: "Limit", type: "integer" },
      },
      required: ["query"],
    },
    accepted: [{ query: "a" }, { query: "a", after: null, limit: 5 }],
    refused: [{}, { query: "a", after: [] }],
  },
  {
    habit: "str = None, which the type does not say",
    printed: { type: "object", properties: { after: { default: null, title: "After", type: "string" } } },
    accepted: [{}, { after: "a" }],
    refused: [{ after: null }],
  },
  {
    habit: "a model in serialization mode: what has a default is required",
    printed: {
      type: "object",
      $defs: {
        Page: {
          properties: { size: { default: 10, title: "Size", type: "integer" }, name: { type: "string" } },
          required: ["size", "name"],
          title: "Page",
          type: "object",
        },
      },
      properties: { page: { $ref: "#/$defs/Page", default: { size: 10, name: "a" } } },
      required: ["page"],
    },
    accepted: [{}, { page: { name: "b" } }],
    refused: [{ page: { size: 1 } }],
  },
  {
    habit: "a generic model, with an escaped reference",
    printed: {
      type: "object",
      $defs: { "Page[int]": { type: "object", properties: { items: { type: "array", items: { type: "integer" } } } } },
      properties: { page: { $ref: "#/$defs/Page%5Bint%5D" }, other: { $ref: "#/$defs/Page[int]" } },
      required: ["page"],
    },
    accepted: [{ page: { items: [1] }, other: {} }],
    refused: [{ page: { items: ["a"] } }],
  },
  {
    habit: "pydantic 1: a reference in an allOf, beside its default",
    printed: {
      type: "object",
      properties: { level: { title: "Level", default: "low", allOf: [{ $ref: "#/definitions/Level" }] } },
      required: ["level"],
      definitions: { Level: { title: "Level", description: "An enumeration.", enum: ["low", "high"], type: "string" } },
    },
    accepted: [{}, { level: "high" }],
    refused: [{ level: "none" }],
  },
  {
    habit: "a discriminated union",
    printed: {
      type: "object",
      $defs: {
        Cat: { type: "object", properties: { kind: { const: "cat", default: "cat", type: "string" } } },
        Dog: {
          type: "object",
          properties: { kind: { const: "dog", type: "string" }, age: { type: "integer" } },
          required: ["kind", "age"],
        },
      },
      properties: {
        pet: {
          discriminator: { mapping: { cat: "#/$defs/Cat", dog: "#/$defs/Dog" }, propertyName: "kind" },
          oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
        },
      },
      required: ["pet"],
    },
    accepted: [{ pet: { kind: "cat" } }, { pet: { kind: "dog", age: 1 } }],
    refused: [{ pet: { kind: "dog" } }, { pet: { kind: "bird" } }],
  },
  {
    habit: "datetime, date, time, timedelta",
    printed: {
      type: "object",
      properties: {
        at: { format: "date-time", type: "string" },
        day: { format: "date", type: "string" },
        time: { format: "time", type: "string" },
        for: { format: "duration", type: "string" },
      },
    },
    accepted: [
      { at: "2026-01-31T10:00:00" },
      { at: "2026-01-31 10:00" },
      { at: "2026-01-31" },
      { at: "2026-01-31T10:00:00.123456+0200" },
      { at: "1769853600" },
      { day: "2026-01-31" },
      { time: "10:00" },
      { time: "10:00:00Z" },
      { for: "P3DT12H" },
      { for: "01:30:00" },
    ],
    refused: [{ at: "tomorrow" }, { day: "31/01/2026" }, { time: "noon" }],
    excluded: [{ at: 1769853600 }],
  },
  {
    habit: "UUID, AnyUrl, EmailStr, IPv4Address, bytes, Path",
    printed: {
      type: "object",
      properties: {
        id: { format: "uuid", type: "string" },
        url: { format: "uri", minLength: 1, type: "string" },
        mail: { format: "email", type: "string" },
        ip: { format: "ipv4", type: "string" },
        any: { format: "ipvanyaddress", type: "string" },
        data: { format: "binary", type: "string" },
        text: { contentEncoding: "base64", contentMediaType: "text/plain", type: "string" },
        path: { format: "path", type: "string" },
      },
    },
    accepted: [
      { id: UUID },
      { id: UUID.replaceAll("-", "") },
      { id: `urn:uuid:${UUID}` },
      { id: `{${UUID}}` },
      { url: "https://example.com/a b" },
      { mail: "jörg@exämple.de" },
      { ip: "192.0.2.1" },
      { any: "2001:db8::1" },
      { data: "\u0000" },
      { text: "aGVsbG8=" },
      { path: "/tmp/a" },
    ],
    refused: [{ id: "1" }, { url: "example" }, { mail: "example" }, { ip: "192.0.2" }],
  },
  {
    habit: "Decimal",
    printed: {
      type: "object",
      properties: {
        price: {
          anyOf: [{ type: "number" }, { pattern: "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$", type: "string" }],
          title: "Price",
        },
        step: { multipleOf: 0.01, type: "number" },
      },
    },
    accepted: [{ price: 1.5 }, { price: "1.50" }, { step: 19.99 }, { step: 1e15 }],
    refused: [{ price: "x" }, { step: 0.005 }],
  },
  {
    habit: "patterns in the syntax of Python and Rust, which are not checked",
    printed: {
      type: "object",
      properties: {
        a: { type: "string", pattern: "(?P<year>\\d{4})" },
        b: { type: "string", pattern: "\\A[a-z]+\\Z" },
        c: { type: "string", pattern: "(?i)^abc$" },
        d: { type: "string", pattern: "^(?x) a b $" },
        e: { type: "object", patternProperties: { "(?i)^x-": { type: "string" } }, additionalProperties: true },
      },
    },
    accepted: [{ a: "2026" }, { b: "abc" }, { c: "ABC" }, { d: "ab" }, { e: { "X-A": "1" } }],
    refused: [{ a: 1 }],
  },
  {
    habit: "not and oneOf around a pattern that is not checked",
    printed: {
      type: "object",
      properties: {
        a: { type: "string", not: { pattern: "(?i)^secret" } },
        b: {
          oneOf: [
            { pattern: "(?i)^x", type: "string" },
            { pattern: "(?i)^y", type: "string" },
          ],
        },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        c: { type: "string", if: { pattern: "(?i)^x" }, then: { minLength: 5 } },
      },
    },
    accepted: [{ a: "open" }, { b: "X1" }, { b: "y1" }, { c: "y" }],
    refused: [{ a: 1 }, { b: 1 }],
  },
  {
    habit: "tuple, set, dict and Literal",
    printed: {
      type: "object",
      properties: {
        pair: {
          maxItems: 2,
          minItems: 2,
          prefixItems: [{ type: "string" }, { type: "integer" }],
          type: "array",
        },
        set: { items: { type: "string" }, type: "array", uniqueItems: true },
        dict: { additionalProperties: { type: "integer" }, propertyNames: { pattern: "^[a-z]+$" }, type: "object" },
        one: { const: "a", type: "string" },
        some: { enum: ["a", 1, null] },
        any: { title: "Any" },
      },
    },
    accepted: [{ pair: ["a", 1], set: ["a", "b"], dict: { a: 1 }, one: "a", some: null, any: [null] }],
    refused: [{ pair: ["a"] }, { set: [1] }, { dict: { a: "1" } }, { dict: { A: 1 } }, { one: "b" }, { some: 2 }],
    // A set of Python takes the same item twice.
    excluded: [{ set: ["a", "a"] }],
  },
  {
    habit: "lax conversions: the type as said",
    printed: { type: "object", properties: { n: { type: "integer" }, flag: { type: "boolean" } } },
    accepted: [{ n: 5 }, { n: 5.0, flag: true }],
    refused: [{ n: "x" }, { n: 1.5 }],
    excluded: [{ n: "5" }, { flag: "yes" }],
  },
  {
    habit: "type names of Python, written by hand",
    printed: {
      type: "object",
      properties: {
        a: { type: "str" },
        b: { type: "list" },
        c: { type: "any" },
        d: { type: "string", required: true },
      },
    },
    accepted: [{ a: "x", b: [1], c: null }, { d: "x" }],
    refused: [{ d: 1 }],
  },
  {
    habit: "a model of itself",
    printed: {
      type: "object",
      $defs: {
        Node: {
          properties: {
            name: { type: "string" },
            next: { anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }], default: null },
          },
          required: ["name"],
          type: "object",
        },
      },
      properties: { node: { $ref: "#/$defs/Node" } },
      required: ["node"],
    },
    accepted: [{ node: { name: "a", next: { name: "b", next: null } } }],
    refused: [{ node: { name: "a", next: {} } }],
  },
];
