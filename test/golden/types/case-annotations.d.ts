// index.d.ts
export { __meta__ } from "./meta.js";
export { dangerous, type DangerousInput, type DangerousOutput } from "./tools/dangerous.js";
export { odd_hints, type OddHintsInput, type OddHintsOutput } from "./tools/odd_hints.js";
export { read_only, type ReadOnlyInput, type ReadOnlyOutput } from "./tools/read_only.js";

// tools/dangerous.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface DangerousInput {
  /** Which thing. */
  id: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type DangerousOutput = string | McpResult;

/**
 * Removes a thing for good.
 *
 * Annotations: not read-only, destructive, not idempotent, open world.
 *
 * @param input.id - Which thing.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function dangerous(input: DangerousInput): Promise<DangerousOutput>;

// tools/odd_hints.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface OddHintsInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type OddHintsOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function odd_hints(input?: OddHintsInput): Promise<OddHintsOutput>;

// tools/read_only.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ReadOnlyInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ReadOnlyOutput = string | McpResult;

/**
 * Reads
 *
 * Annotations: read-only, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function read_only(input?: ReadOnlyInput): Promise<ReadOnlyOutput>;

// sha256-l+G/SsOih+KRcqdk/eW1l2WjWxPSrrHvUXYo2AHRPFc= of all files of the package
// f60392df3c99 index.js
// b477aa737b9c meta.d.ts
// 581c0993a205 meta.js
// 342107def6d6 tools.json
// b7863c9f79ec tools/dangerous.js
// 4a54ebc48991 tools/dangerous.validator.js
// 636ccb529b5c tools/odd_hints.js
// cdb492bb99b9 tools/odd_hints.validator.js
// 9a1b28689071 tools/read_only.js
// cdb492bb99b9 tools/read_only.validator.js
