// index.d.ts
export { __meta__ } from "./meta.js";
export { array_output, type ArrayOutputInput, type ArrayOutputOutput } from "./tools/array_output.js";
export { no_output, type NoOutputInput, type NoOutputOutput } from "./tools/no_output.js";
export { object_output, type ObjectOutputInput, type ObjectOutputOutput } from "./tools/object_output.js";
export { shared_output, type SharedOutputInput, type SharedOutputOutput } from "./tools/shared_output.js";
export { text_output, type TextOutputInput, type TextOutputOutput } from "./tools/text_output.js";
export { union_output, type UnionOutputInput, type UnionOutputOutput } from "./tools/union_output.js";

// tools/array_output.d.ts
export interface ArrayOutputInput {
  [k: string]: unknown;
}

export type ArrayOutputOutput = string[];

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function array_output(input?: ArrayOutputInput): Promise<ArrayOutputOutput>;

// tools/no_output.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface NoOutputInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type NoOutputOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function no_output(input?: NoOutputInput): Promise<NoOutputOutput>;

// tools/object_output.d.ts
export interface ObjectOutputInput {
  [k: string]: unknown;
}

export interface ObjectOutputOutput {
  /** How many. */
  count: number;
  items?: {
    id: string;
  }[];
}

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function object_output(input?: ObjectOutputInput): Promise<ObjectOutputOutput>;

// tools/shared_output.d.ts
export interface SharedOutputInput {
  n?: SharedOutputInputNode;
}

export type SharedOutputInputNode = string;

export interface SharedOutputOutput {
  n?: SharedOutputOutputNode;
}

export type SharedOutputOutputNode = number;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function shared_output(input?: SharedOutputInput): Promise<SharedOutputOutput>;

// tools/text_output.d.ts
export interface TextOutputInput {
  [k: string]: unknown;
}

export type TextOutputOutput = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function text_output(input?: TextOutputInput): Promise<TextOutputOutput>;

// tools/union_output.d.ts
export interface UnionOutputInput {
  [k: string]: unknown;
}

export type UnionOutputOutput = {
  ok: true;
} | {
  error: string;
  ok: false;
};

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function union_output(input?: UnionOutputInput): Promise<UnionOutputOutput>;

// sha256-xBxTAe5Mo3ELYT7qqlj5t07tH8RzAMjRkNxGVKkWSzs= of all files of the package
// a4906a0936dc index.js
// b477aa737b9c meta.d.ts
// 3ea3af711aef meta.js
// e0be582446c2 tools.json
// 2b68e0312d57 tools/array_output.js
// cdb492bb99b9 tools/array_output.validator.js
// 72cb0aa2d812 tools/no_output.js
// cdb492bb99b9 tools/no_output.validator.js
// 385e2ef3acd8 tools/object_output.js
// cdb492bb99b9 tools/object_output.validator.js
// aa3911ebe1c6 tools/shared_output.js
// 5fb5ac040725 tools/shared_output.validator.js
// 78985d6301c8 tools/text_output.js
// cdb492bb99b9 tools/text_output.validator.js
// 5626efbbd270 tools/union_output.js
// cdb492bb99b9 tools/union_output.validator.js
