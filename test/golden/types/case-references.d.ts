// index.d.ts
export { __meta__ } from "./meta.js";
export { anchors, type AnchorsInput, type AnchorsOutput } from "./tools/anchors.js";
export { dynamic, type DynamicInput, type DynamicOutput } from "./tools/dynamic.js";
export { json_value, type JsonValueInput, type JsonValueOutput } from "./tools/json_value.js";
export { to_property, type ToPropertyInput, type ToPropertyOutput } from "./tools/to_property.js";
export { to_root, type ToRootInput, type ToRootOutput } from "./tools/to_root.js";
export { tree, type TreeInput, type TreeOutput } from "./tools/tree.js";

// tools/anchors.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface AnchorsInput {
  a?: AnchorsInputHere;
  b?: AnchorsInputOtherJson;
  c?: AnchorsInputOddNameX;
}

export type AnchorsInputHere = string;

export type AnchorsInputOtherJson = number;

export type AnchorsInputOddNameX = boolean;

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type AnchorsOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function anchors(input?: AnchorsInput): Promise<AnchorsOutput>;

// tools/dynamic.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface DynamicInput {
  node?: DynamicInputNode;
}

export type DynamicInputNode = string;

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type DynamicOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function dynamic(input?: DynamicInput): Promise<DynamicOutput>;

// tools/json_value.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface JsonValueInput {
  json?: JsonValueInputPromise;
}

export type JsonValueInputPromise = string | number | null | JsonValueInputPromise[] | {
  [k: string]: JsonValueInputPromise;
};

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type JsonValueOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function json_value(input?: JsonValueInput): Promise<JsonValueOutput>;

// tools/to_property.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ToPropertyInput {
  from?: {
    x: number;
    y: number;
  };
  list?: ToPropertyInputX[];
  to?: ToPropertyInputFrom;
}

export type ToPropertyInputX = number;

export interface ToPropertyInputFrom {
  x: number;
  y: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ToPropertyOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function to_property(input?: ToPropertyInput): Promise<ToPropertyOutput>;

// tools/to_root.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ToRootInput {
  value: string;
  next?: ToRootInput;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ToRootOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function to_root(input: ToRootInput): Promise<ToRootOutput>;

// tools/tree.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TreeInput {
  root: TreeInputNode;
}

export interface TreeInputNode {
  name: string;
  children?: TreeInputNode[];
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TreeOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function tree(input: TreeInput): Promise<TreeOutput>;

// sha256-lZWYYB/vIsyacJKfQeIX9lX9g5VwcZRCTzb20BiScA4= of all files of the package
// 2d0712847a5d index.js
// b477aa737b9c meta.d.ts
// cfff420a6449 meta.js
// 656ab4ae83a7 tools.json
// 0b70c7250cba tools/anchors.js
// 38fe3f029938 tools/anchors.validator.js
// 37e69fa58fd7 tools/dynamic.js
// 2ee926aab50b tools/dynamic.validator.js
// 5ac4ecfe4a3e tools/json_value.js
// 6529bf2dee2c tools/json_value.validator.js
// af87ccec5b81 tools/to_property.js
// 22e8ea222956 tools/to_property.validator.js
// 328877e62526 tools/to_root.js
// d10e25825695 tools/to_root.validator.js
// 0b4d7b0fbb2a tools/tree.js
// f632f8dd9d66 tools/tree.validator.js
