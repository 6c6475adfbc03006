// index.d.ts
export { __meta__ } from "./meta.js";
export { properties, type PropertiesInput, type PropertiesOutput } from "./tools/properties.js";
export { values, type ValuesInput, type ValuesOutput } from "./tools/values.js";

// tools/properties.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface PropertiesInput {
  "1"?: string;
  __proto__: string;
  constructor: number;
  ""?: string;
  "\"; x"?: string;
  $ref?: string;
  /** *\/ alert(1) /* */
  "*/"?: string;
  "[k: string]"?: string;
  "a b"?: string;
  default?: string;
  toString?: string;
  tsType?: string;
  "\u2028"?: string;
  "\u202e"?: string;
  hasOwnProperty: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type PropertiesOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function properties(input: PropertiesInput): Promise<PropertiesOutput>;

// tools/values.d.ts
import type { McpResult } from "@codemode/runtime/results";

/** For example `{ ["__proto__"]: { polluted: true }, e: "*\/" }`. */
export interface ValuesInput {
  c?: {
    "$ref": "http://127.0.0.1:9/";
  };
  /** Default: `{ ["__proto__"]: { x: 1 } }`. */
  d?: string;
  e?: "*/" | "`${x}`" | "\u2028" | "\u202e" | "\"" | "\\" | "</script>" | null | -0.5 | 1e+21 | {
    "$ref": "#/x";
    "__proto__": 1;
  } | ["a", 1];
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ValuesOutput = string | McpResult;

/**
 * @param input.d - Default: `{ ["__proto__"]: { x: 1 } }`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 * @example
 * await values({ ["__proto__"]: { polluted: true }, e: "*\/" });
 */
export declare function values(input?: ValuesInput): Promise<ValuesOutput>;

// sha256-eLIRrVwX6UZUgmA+3XmC6N5/lqRcbdUJSC1MK4hnmhs= of all files of the package
// 165091544f50 index.js
// b477aa737b9c meta.d.ts
// c434230963c8 meta.js
// b2cbd447815a tools.json
// 1e3fa255940e tools/properties.js
// 6207b9b01da2 tools/properties.validator.js
// 2d90fc2d74c6 tools/values.js
// e2c98d065d30 tools/values.validator.js
