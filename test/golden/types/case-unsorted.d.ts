// index.d.ts
export { __meta__ } from "./meta.js";
export { alpha, type AlphaInput, type AlphaOutput } from "./tools/alpha.js";
export { mid, type MidInput, type MidOutput } from "./tools/mid.js";
export { zeta, type ZetaInput, type ZetaOutput } from "./tools/zeta.js";

// tools/alpha.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface AlphaInput {
  a: number;
  b: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type AlphaOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function alpha(input: AlphaInput): Promise<AlphaOutput>;

// tools/mid.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface MidInput {
  a: number;
  b: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type MidOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function mid(input: MidInput): Promise<MidOutput>;

// tools/zeta.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ZetaInput {
  a: number;
  b: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ZetaOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function zeta(input: ZetaInput): Promise<ZetaOutput>;

// sha256-ZZY33BSE/eRUnweN1UnCF8nYke4EFRM3pEQyH0S+VYQ= of all files of the package
// 25d5c23e19cd index.js
// b477aa737b9c meta.d.ts
// ddde43935cf4 meta.js
// 80a46d8d2436 tools.json
// 4f358414b894 tools/alpha.js
// efe23086090a tools/alpha.validator.js
// b1cbd83ddc94 tools/mid.js
// efe23086090a tools/mid.validator.js
// 5f19864e03fe tools/zeta.js
// efe23086090a tools/zeta.validator.js
