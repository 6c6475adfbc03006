// index.d.ts
export { __meta__ } from "./meta.js";
export { delete_, type DeleteInput, type DeleteOutput } from "./tools/delete_.js";
export { get, type GetInput, type GetOutput } from "./tools/get.js";
export { list, type ListInput, type ListOutput } from "./tools/list.js";
export { set, type SetInput, type SetOutput } from "./tools/set.js";

// tools/delete_.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface DeleteInput {
  /** Key or array of keys to delete */
  key: string | string[];
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type DeleteOutput = string | McpResult;

/**
 * Delete one or more keys from Redis
 *
 * @param input.key - Key or array of keys to delete
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function delete_(input: DeleteInput): Promise<DeleteOutput>;

// tools/get.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetInput {
  /** Redis key to retrieve */
  key: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetOutput = string | McpResult;

/**
 * Get value by key from Redis
 *
 * @param input.key - Redis key to retrieve
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get(input: GetInput): Promise<GetOutput>;

// tools/list.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ListInput {
  /** Pattern to match keys (default: *) */
  pattern?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ListOutput = string | McpResult;

/**
 * List Redis keys matching a pattern
 *
 * @param input.pattern - Pattern to match keys (default: *)
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function list(input?: ListInput): Promise<ListOutput>;

// tools/set.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SetInput {
  /** Redis key */
  key: string;
  /** Value to store */
  value: string;
  /** Optional expiration time in seconds */
  expireSeconds?: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SetOutput = string | McpResult;

/**
 * Set a Redis key-value pair with optional expiration
 *
 * @param input.key - Redis key
 * @param input.value - Value to store
 * @param input.expireSeconds - Optional expiration time in seconds
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function set(input: SetInput): Promise<SetOutput>;

// sha256-eK70H3Wdo5WNKClB2OWxvxDHiotnUbnF60DWeuTX1HU= of all files of the package
// 83fc3d497087 index.js
// b477aa737b9c meta.d.ts
// 1e2215e40a7e meta.js
// cf03254eb060 tools.json
// c9f43de151d1 tools/delete_.js
// d61e66cdad1a tools/delete_.validator.js
// fc8c4e712b33 tools/get.js
// 4cd6670e77d2 tools/get.validator.js
// a4903fabc520 tools/list.js
// 42bb2bc49f21 tools/list.validator.js
// 9d20fb24edc1 tools/set.js
// 94cf9a6038e8 tools/set.validator.js
