// index.d.ts
export { __meta__ } from "./meta.js";
export { absent_schema, type AbsentSchemaInput, type AbsentSchemaOutput } from "./tools/absent_schema.js";
export { all_optional, type AllOptionalInput, type AllOptionalOutput } from "./tools/all_optional.js";
export { array_root, type ArrayRootInput, type ArrayRootOutput } from "./tools/array_root.js";
export { at_least_one, type AtLeastOneInput, type AtLeastOneOutput } from "./tools/at_least_one.js";
export { closed_empty, type ClosedEmptyInput, type ClosedEmptyOutput } from "./tools/closed_empty.js";
export { empty_schema, type EmptySchemaInput, type EmptySchemaOutput } from "./tools/empty_schema.js";
export { no_properties, type NoPropertiesInput, type NoPropertiesOutput } from "./tools/no_properties.js";
export { one_required, type OneRequiredInput, type OneRequiredOutput } from "./tools/one_required.js";
export { string_root, type StringRootInput, type StringRootOutput } from "./tools/string_root.js";

// tools/absent_schema.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface AbsentSchemaInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type AbsentSchemaOutput = string | McpResult;

/**
 * No schema at all.
 *
 * Warning: inputSchema is missing; any object is accepted.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function absent_schema(input?: AbsentSchemaInput): Promise<AbsentSchemaOutput>;

// tools/all_optional.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface AllOptionalInput {
  a?: string;
  /** How many. Default: `3`. */
  b?: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type AllOptionalOutput = string | McpResult;

/**
 * @param input.b - How many. Default: `3`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function all_optional(input?: AllOptionalInput): Promise<AllOptionalOutput>;

// tools/array_root.d.ts
import type { McpResult } from "@codemode/runtime/results";

/** Fewest items: `1`. */
export type ArrayRootInput = string[];

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ArrayRootOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function array_root(input: ArrayRootInput): Promise<ArrayRootOutput>;

// tools/at_least_one.d.ts
import type { McpResult } from "@codemode/runtime/results";

/** Checked but not part of the type: `minProperties`. */
export interface AtLeastOneInput {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type AtLeastOneOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function at_least_one(input: AtLeastOneInput): Promise<AtLeastOneOutput>;

// tools/closed_empty.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ClosedEmptyInput {
  [k: string]: never;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ClosedEmptyOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function closed_empty(input?: ClosedEmptyInput): Promise<ClosedEmptyOutput>;

// tools/empty_schema.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface EmptySchemaInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type EmptySchemaOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function empty_schema(input?: EmptySchemaInput): Promise<EmptySchemaOutput>;

// tools/no_properties.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface NoPropertiesInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type NoPropertiesOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function no_properties(input?: NoPropertiesInput): Promise<NoPropertiesOutput>;

// tools/one_required.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface OneRequiredInput {
  a: string;
  b?: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type OneRequiredOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function one_required(input: OneRequiredInput): Promise<OneRequiredOutput>;

// tools/string_root.d.ts
import type { McpResult } from "@codemode/runtime/results";

/** Shortest length: `1`. */
export type StringRootInput = string;

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type StringRootOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function string_root(input: StringRootInput): Promise<StringRootOutput>;

// sha256-euwIMdsnT583m1nfGFjiHPG8Z6+7EE2nHs5ZafQJIR8= of all files of the package
// 70470025b2fc index.js
// b477aa737b9c meta.d.ts
// 8313248e3bae meta.js
// 585e2c43300f tools.json
// dd0314661b85 tools/absent_schema.js
// cdb492bb99b9 tools/absent_schema.validator.js
// 6461cb11fc9d tools/all_optional.js
// 7f44d9e1c295 tools/all_optional.validator.js
// 649730091bb4 tools/array_root.js
// e8e7940b363d tools/array_root.validator.js
// 44e23a15990d tools/at_least_one.js
// 2396cbe47c5e tools/at_least_one.validator.js
// d43f6c32f00d tools/closed_empty.js
// 648a0e9a8447 tools/closed_empty.validator.js
// 84b8c2490511 tools/empty_schema.js
// cdb492bb99b9 tools/empty_schema.validator.js
// 34f64c3b6787 tools/no_properties.js
// cdb492bb99b9 tools/no_properties.validator.js
// d36bc26d5d40 tools/one_required.js
// cfb7ee5c75ed tools/one_required.validator.js
// 7d204931fae4 tools/string_root.js
// 03903929f79c tools/string_root.validator.js
