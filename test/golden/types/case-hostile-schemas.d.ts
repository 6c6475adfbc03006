// index.d.ts
export { __meta__ } from "./meta.js";
export { asynchronous, type AsynchronousInput, type AsynchronousOutput } from "./tools/asynchronous.js";
export { formats, type FormatsInput, type FormatsOutput } from "./tools/formats.js";
export { long_text, type LongTextInput, type LongTextOutput } from "./tools/long_text.js";
export { remote, type RemoteInput, type RemoteOutput } from "./tools/remote.js";
export { text, type TextInput, type TextOutput } from "./tools/text.js";
export { ts_type, type TsTypeInput, type TsTypeOutput } from "./tools/ts_type.js";

// tools/asynchronous.d.ts
import type { McpResult } from "@codemode/runtime/results";

export type AsynchronousInput = {
  a: string;
} | null;

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type AsynchronousOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function asynchronous(input: AsynchronousInput): Promise<AsynchronousOutput>;

// tools/formats.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface FormatsInput {
  /** Format: constructor. */
  a?: string;
  /** Format: __proto__. */
  b?: string;
  /** Format: cidrv4. */
  c?: string;
  /** Format: *\/ x. */
  d?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type FormatsOutput = string | McpResult;

/**
 * @param input.a - Format: constructor.
 * @param input.b - Format: __proto__.
 * @param input.c - Format: cidrv4.
 * @param input.d - Format: *\/ x.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function formats(input?: FormatsInput): Promise<FormatsOutput>;

// tools/long_text.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface LongTextInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type LongTextOutput = string | McpResult;

/**
 * word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/ word *\/
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function long_text(input?: LongTextInput): Promise<LongTextOutput>;

// tools/remote.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface RemoteInput {
  dynamic?: unknown;
  file?: unknown;
  http?: unknown;
  path?: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type RemoteOutput = string | McpResult;

/**
 * Warning: inputSchema/properties/dynamic/$dynamicRef refers to "https://example.com/#x", which is not in the schema; any value is accepted there.
 * Warning: inputSchema/properties/file/$ref refers to "file:///etc/passwd", which is not in the schema; any value is accepted there.
 * Warning: inputSchema/properties/http/$ref refers to "http://127.0.0.1:9/schema.json", which is not in the schema; any value is accepted there.
 * Warning: inputSchema/properties/path/$ref refers to "./package.json", which is not in the schema; any value is accepted there.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function remote(input?: RemoteInput): Promise<RemoteOutput>;

// tools/text.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TextInput {
  /** *\/ } \u202e\u2028 \u002a/ */
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TextOutput = string | McpResult;

/**
 * *\/ export const stolen = 1; /* ${process.env.HOME} ` <!-- --> import('node:fs') \u2028 \u2029 \u202e \u200b \ufeff \u0000 \u001b[31m \udb40\udc41 \u2066
 *
 * @param input.a - *\/ } \u202e\u2028 \u002a/
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function text(input?: TextInput): Promise<TextOutput>;

// tools/ts_type.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TsTypeInput {
  a?: string;
  b?: "x";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TsTypeOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function ts_type(input?: TsTypeInput): Promise<TsTypeOutput>;

// sha256-66eJTxuBuI+rgKLzzP0KiOiVZ+w3Y9LBhruFD5WHDPo= of all files of the package
// 797458b9be71 index.js
// b477aa737b9c meta.d.ts
// fadb0c7a18f7 meta.js
// a060b113281f tools.json
// ee71556b408f tools/asynchronous.js
// 6e27f6fa08cb tools/asynchronous.validator.js
// db22490c330e tools/formats.js
// 6b542f7aff6b tools/formats.validator.js
// 12f2ad6fd647 tools/long_text.js
// cdb492bb99b9 tools/long_text.validator.js
// c5b0034b3836 tools/remote.js
// cdb492bb99b9 tools/remote.validator.js
// 5a66462d2711 tools/text.js
// 3d94abceadc9 tools/text.validator.js
// caebf68d0517 tools/ts_type.js
// 5a5523056081 tools/ts_type.validator.js
