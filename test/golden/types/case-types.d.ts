// index.d.ts
export { __meta__ } from "./meta.js";
export { checked_only, type CheckedOnlyInput, type CheckedOnlyOutput } from "./tools/checked_only.js";
export { maps, type MapsInput, type MapsOutput } from "./tools/maps.js";
export { nullable, type NullableInput, type NullableOutput } from "./tools/nullable.js";
export { typeless, type TypelessInput, type TypelessOutput } from "./tools/typeless.js";
export { unions, type UnionsInput, type UnionsOutput } from "./tools/unions.js";
export { values, type ValuesInput, type ValuesOutput } from "./tools/values.js";

// tools/checked_only.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface CheckedOnlyInput {
  /** Checked but not part of the type: `not`. */
  a?: string;
  /** Checked but not part of the type: `contains`, `uniqueItems`. */
  b?: string[];
  /** Checked but not part of the type: `if`, `propertyNames`. */
  c?: {
    [k: string]: unknown;
  };
  /** Shortest length: `2`. Longest length: `4`. */
  d?: string;
  e?: {
    "deep": [1];
  } | {
    "deep": [2];
  };
  /** Format: uuid. */
  f?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type CheckedOnlyOutput = string | McpResult;

/**
 * @param input.a - Checked but not part of the type: `not`.
 * @param input.b - Checked but not part of the type: `contains`, `uniqueItems`.
 * @param input.c - Checked but not part of the type: `if`, `propertyNames`.
 * @param input.d - Shortest length: `2`. Longest length: `4`.
 * @param input.f - Format: uuid.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function checked_only(input?: CheckedOnlyInput): Promise<CheckedOnlyOutput>;

// tools/maps.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface MapsInput {
  closed?: {
    [k: string]: never;
  };
  closed_pair?: {
    x: number;
    y: unknown;
  };
  mixed?: {
    n?: number;
    [k: string]: string | number | undefined;
  };
  open?: {
    [k: string]: unknown;
  };
  pattern?: {
    [k: string]: number;
  };
  patterns?: {
    [k: string]: unknown;
  };
  text?: {
    [k: string]: string;
  };
  undeclared?: {
    x: unknown;
  };
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type MapsOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function maps(input?: MapsInput): Promise<MapsOutput>;

// tools/nullable.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface NullableInput {
  a?: string | null;
  b?: "x" | null;
  c?: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type NullableOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function nullable(input?: NullableInput): Promise<NullableOutput>;

// tools/typeless.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TypelessInput {
  /** Anything. */
  leaf: unknown;
  array?: {
    [k: string]: unknown;
  } | string[] | string | number | boolean | null;
  bare?: unknown;
  /** Default: `5`. */
  default_only?: unknown;
  object?: {
    a?: string;
  } | unknown[] | string | number | boolean | null;
  /** Shortest length: `3`. */
  text?: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TypelessOutput = string | McpResult;

/**
 * @param input.leaf - Anything.
 * @param input.default_only - Default: `5`.
 * @param input.text - Shortest length: `3`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function typeless(input: TypelessInput): Promise<TypelessOutput>;

// tools/unions.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface UnionsInput {
  any?: string | number | null;
  both?: {
    a: string;
  } & {
    b: number;
  };
  list?: (string | null)[];
  many?: string | number | null;
  one?: {
    kind: "a";
    x?: string;
  } | {
    kind: "b";
    y?: number;
  };
  refined?: {
    a?: string;
    b?: string;
  } & ({
    a: unknown;
  } | {
    b: unknown;
  });
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type UnionsOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function unions(input?: UnionsInput): Promise<UnionsOutput>;

// tools/values.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ValuesInput {
  c?: 42;
  e?: "a" | "b" | 1 | true | null;
  long?:
    | "value-number-0"
    | "value-number-1"
    | "value-number-2"
    | "value-number-3"
    | "value-number-4"
    | "value-number-5"
    | "value-number-6"
    | "value-number-7"
    | "value-number-8"
    | "value-number-9"
    | "value-number-10"
    | "value-number-11"
    | "value-number-12"
    | "value-number-13"
    | "value-number-14"
    | "value-number-15"
    | "value-number-16"
    | "value-number-17"
    | "value-number-18"
    | "value-number-19";
  longs?: (
    | "value-number-0"
    | "value-number-1"
    | "value-number-2"
    | "value-number-3"
    | "value-number-4"
    | "value-number-5"
    | "value-number-6"
    | "value-number-7"
    | "value-number-8"
    | "value-number-9"
    | "value-number-10"
    | "value-number-11"
    | "value-number-12"
    | "value-number-13"
    | "value-number-14"
    | "value-number-15"
    | "value-number-16"
    | "value-number-17"
    | "value-number-18"
    | "value-number-19"
  )[];
  o?: {
    "a": [1, "x"];
  };
  one?: "single";
  s?: "only" | "these";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ValuesOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function values(input?: ValuesInput): Promise<ValuesOutput>;

// sha256-33cL9j0WK5tpGPAv/llvbDvKszBD2F9QoOwDLOv8UWI= of all files of the package
// e7d5784e3a0d index.js
// b477aa737b9c meta.d.ts
// 930ca5efe570 meta.js
// 9dbb6b7a5653 tools.json
// becc8ecbb245 tools/checked_only.js
// 5d8e52be42d6 tools/checked_only.validator.js
// a6e863ee49b8 tools/maps.js
// 032ff636ee57 tools/maps.validator.js
// e552ea722557 tools/nullable.js
// c1f79dd06bae tools/nullable.validator.js
// 8bd3cd30ba98 tools/typeless.js
// 46b5c21074f6 tools/typeless.validator.js
// e8fd86f4eea4 tools/unions.js
// 89fc9ffabffc tools/unions.validator.js
// b5a41f8dfbe5 tools/values.js
// e0ca624f108f tools/values.validator.js
