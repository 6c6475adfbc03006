// index.d.ts
export { __meta__ } from "./meta.js";
export { bad_keywords, type BadKeywordsInput, type BadKeywordsOutput } from "./tools/bad_keywords.js";
export { bad_output, type BadOutputInput, type BadOutputOutput } from "./tools/bad_output.js";
export { circular, type CircularInput, type CircularOutput } from "./tools/circular.js";
export { circular_root, type CircularRootInput, type CircularRootOutput } from "./tools/circular_root.js";
export { dangling, type DanglingInput, type DanglingOutput } from "./tools/dangling.js";
export { false_schema, type FalseSchemaInput, type FalseSchemaOutput } from "./tools/false_schema.js";
export { list_schema, type ListSchemaInput, type ListSchemaOutput } from "./tools/list_schema.js";
export { null_schema, type NullSchemaInput, type NullSchemaOutput } from "./tools/null_schema.js";
export { text_schema, type TextSchemaInput, type TextSchemaOutput } from "./tools/text_schema.js";

// tools/bad_keywords.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface BadKeywordsInput {
  a?: unknown;
  b?: string;
  c?: unknown;
  d?: string;
  e?: unknown;
  f?: unknown[];
  g?: number;
  h?: unknown;
  i?: {
    [k: string]: unknown;
  };
  j?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type BadKeywordsOutput = string | McpResult;

/**
 * Warning: inputSchema/properties/a/type names no JSON type.
 * Warning: inputSchema/properties/b/minLength is not a whole number.
 * Warning: inputSchema/properties/c/enum lists no value.
 * Warning: inputSchema/properties/d/pattern is not a regular expression that every engine knows ("("); it is not checked.
 * Warning: inputSchema/properties/e is not a schema.
 * Warning: inputSchema/properties/f/items is not a schema.
 * Warning: inputSchema/properties/g/anyOf is not a list of schemas.
 * Warning: inputSchema/properties/h/$ref refers to 7, which is not in the schema; any value is accepted there.
 * Warning: inputSchema/properties/i/patternProperties is not a regular expression that every engine knows ("("); it is not checked.
 * Warning: inputSchema/properties/j/pattern is not a regular expression that every engine knows ("(?i:x)"); it is not checked.
 * Warning: inputSchema/required is not a list of names.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function bad_keywords(input?: BadKeywordsInput): Promise<BadKeywordsOutput>;

// tools/bad_output.d.ts
export interface BadOutputInput {
  [k: string]: unknown;
}

export interface BadOutputOutput {
  a?: unknown;
}

/**
 * Warning: outputSchema/properties/a/$ref refers to "#/$defs/x", which is not in the schema; any value is accepted there.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function bad_output(input?: BadOutputInput): Promise<BadOutputOutput>;

// tools/circular.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface CircularInput {
  a?: CircularInputA;
  u?: CircularInputU;
}

export type CircularInputA = unknown;

export type CircularInputU = unknown;

export type CircularInputB = unknown;

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type CircularOutput = string | McpResult;

/**
 * Warning: inputSchema/$defs/a refers to itself without end; that reference is not checked.
 * Warning: inputSchema/$defs/u refers to itself without end; that reference is not checked.
 * Warning: inputSchema/$defs/b refers to itself without end; that reference is not checked.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function circular(input?: CircularInput): Promise<CircularOutput>;

// tools/circular_root.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface CircularRootInput {
  a?: CircularRootInput;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type CircularRootOutput = string | McpResult;

/**
 * Warning: inputSchema refers to itself without end; that reference is not checked.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function circular_root(input: CircularRootInput): Promise<CircularRootOutput>;

// tools/dangling.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface DanglingInput {
  kept: string;
  a?: unknown;
  b?: unknown;
  c?: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type DanglingOutput = string | McpResult;

/**
 * Warning: inputSchema/properties/a/$ref refers to "#/$defs/nowhere", which is not in the schema; any value is accepted there.
 * Warning: inputSchema/properties/b/$ref refers to "#nowhere", which is not in the schema; any value is accepted there.
 * Warning: inputSchema/properties/c/$ref refers to "#/properties/b/nothing", which is not in the schema; any value is accepted there.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function dangling(input: DanglingInput): Promise<DanglingOutput>;

// tools/false_schema.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface FalseSchemaInput {
  always?: unknown;
  never?: never;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type FalseSchemaOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function false_schema(input?: FalseSchemaInput): Promise<FalseSchemaOutput>;

// tools/list_schema.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ListSchemaInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ListSchemaOutput = string | McpResult;

/**
 * Warning: inputSchema is not a schema; any object is accepted.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function list_schema(input?: ListSchemaInput): Promise<ListSchemaOutput>;

// tools/null_schema.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface NullSchemaInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type NullSchemaOutput = string | McpResult;

/**
 * Warning: inputSchema is not a schema; any object is accepted.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function null_schema(input?: NullSchemaInput): Promise<NullSchemaOutput>;

// tools/text_schema.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TextSchemaInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TextSchemaOutput = string | McpResult;

/**
 * Warning: inputSchema is not a schema; any object is accepted.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function text_schema(input?: TextSchemaInput): Promise<TextSchemaOutput>;

// sha256-29l3Gnj6GREPEUB5dTXh7vUauNDyi9oJ9hflwdB3zAU= of all files of the package
// eedf832f8495 index.js
// b477aa737b9c meta.d.ts
// ae1be6b9e5a5 meta.js
// 49882b13e00c tools.json
// ad2ad5e88bac tools/bad_keywords.js
// cfda0e4737ae tools/bad_keywords.validator.js
// 0aab65059db8 tools/bad_output.js
// cdb492bb99b9 tools/bad_output.validator.js
// e4f53b6c14fd tools/circular.js
// efe308978d94 tools/circular.validator.js
// 25b480a550c4 tools/circular_root.js
// cad3b5ca6503 tools/circular_root.validator.js
// 64c7c26bcd70 tools/dangling.js
// fb52f0861a83 tools/dangling.validator.js
// 2494f5376f68 tools/false_schema.js
// 4569d78ea5ba tools/false_schema.validator.js
// 7c74be19c929 tools/list_schema.js
// cdb492bb99b9 tools/list_schema.validator.js
// d6e8ac187adf tools/null_schema.js
// cdb492bb99b9 tools/null_schema.validator.js
// ef307dd0fb65 tools/text_schema.js
// cdb492bb99b9 tools/text_schema.validator.js
