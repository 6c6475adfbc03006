// index.d.ts
export { __meta__ } from "./meta.js";
export { draft_04, type Draft04Input, type Draft04Output } from "./tools/draft_04.js";
export { draft_07_reference, type Draft07ReferenceInput, type Draft07ReferenceOutput } from "./tools/draft_07_reference.js";
export { draft_07_tuple, type Draft07TupleInput, type Draft07TupleOutput } from "./tools/draft_07_tuple.js";
export { draft_2019, type Draft2019Input, type Draft2019Output } from "./tools/draft_2019.js";
export { latest_reference, type LatestReferenceInput, type LatestReferenceOutput } from "./tools/latest_reference.js";
export { latest_tuple, type LatestTupleInput, type LatestTupleOutput } from "./tools/latest_tuple.js";

// tools/draft_04.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface Draft04Input {
  /** More than: `0`. Maximum: `9`. */
  n: number;
  d?: Draft04InputD;
}

export type Draft04InputD = string;

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type Draft04Output = string | McpResult;

/**
 * @param input.n - More than: `0`. Maximum: `9`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function draft_04(input: Draft04Input): Promise<Draft04Output>;

// tools/draft_07_reference.d.ts
import type { McpResult } from "@codemode/runtime/results";

/** Checked but not part of the type: `dependentRequired`, `dependentSchemas`. */
export interface Draft07ReferenceInput {
  /** Siblings do not count. */
  r?: Draft07ReferenceInputText;
}

export type Draft07ReferenceInputText = string;

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type Draft07ReferenceOutput = string | McpResult;

/**
 * @param input.r - Siblings do not count.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function draft_07_reference(input?: Draft07ReferenceInput): Promise<Draft07ReferenceOutput>;

// tools/draft_07_tuple.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface Draft07TupleInput {
  /** Fewest items: `1`. */
  t: [string] | [string, number, ...(boolean)[]];
  closed?: [] | [string] | [string, number];
  open?: [] | [string, ...(unknown)[]];
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type Draft07TupleOutput = string | McpResult;

/**
 * @param input.t - Fewest items: `1`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function draft_07_tuple(input: Draft07TupleInput): Promise<Draft07TupleOutput>;

// tools/draft_2019.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface Draft2019Input {
  /** Checked but not part of the type: `dependentRequired`. */
  d?: {
    [k: string]: unknown;
  };
  r?: Draft2019InputText;
}

export type Draft2019InputText = string;

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type Draft2019Output = string | McpResult;

/**
 * @param input.d - Checked but not part of the type: `dependentRequired`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function draft_2019(input?: Draft2019Input): Promise<Draft2019Output>;

// tools/latest_reference.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface LatestReferenceInput {
  /** Longest length: `3`. */
  r?: LatestReferenceInputText;
}

export type LatestReferenceInputText = string;

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type LatestReferenceOutput = string | McpResult;

/**
 * @param input.r - Longest length: `3`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function latest_reference(input?: LatestReferenceInput): Promise<LatestReferenceOutput>;

// tools/latest_tuple.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface LatestTupleInput {
  closed?: [] | [string] | [string, number];
  point?: [] | [number] | [number, number, ...(unknown)[]];
  /** Fewest items: `2`. */
  t?: [string, number, ...(boolean)[]];
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type LatestTupleOutput = string | McpResult;

/**
 * @param input.t - Fewest items: `2`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function latest_tuple(input?: LatestTupleInput): Promise<LatestTupleOutput>;

// sha256-GyHq3R+wu/52GVeXBaMNt1l7lx5UvOzlODSvEBlz+7g= of all files of the package
// 1790c2da2d1e index.js
// b477aa737b9c meta.d.ts
// bc740174328a meta.js
// 2e856c382051 tools.json
// fdf29f27568c tools/draft_04.js
// 5ac0cf5b6e75 tools/draft_04.validator.js
// a135c28a1874 tools/draft_07_reference.js
// df3cafe60fef tools/draft_07_reference.validator.js
// d3623b71b10a tools/draft_07_tuple.js
// c6127ad1a666 tools/draft_07_tuple.validator.js
// 61bf9b3a875e tools/draft_2019.js
// 369da7bf7aa7 tools/draft_2019.validator.js
// d76ba132a9f8 tools/latest_reference.js
// 977ec0902635 tools/latest_reference.validator.js
// e113dac6cb89 tools/latest_tuple.js
// 7d3fda544172 tools/latest_tuple.validator.js
