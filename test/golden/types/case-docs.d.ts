// index.d.ts
export { __meta__ } from "./meta.js";
export { declared, type DeclaredInput, type DeclaredOutput } from "./tools/declared.js";
export { many_lines, type ManyLinesInput, type ManyLinesOutput } from "./tools/many_lines.js";
export { tags, type TagsInput, type TagsOutput } from "./tools/tags.js";
export { title_only, type TitleOnlyInput, type TitleOnlyOutput } from "./tools/title_only.js";

// tools/declared.d.ts
import type { McpResult } from "@codemode/runtime/results";

/** Declaration of input */
export interface DeclaredInput {
  /** Declaration */
  Declaration?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type DeclaredOutput = string | McpResult;

/**
 * Declaration of tools
 *
 * @param input.Declaration - Declaration
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function declared(input?: DeclaredInput): Promise<DeclaredOutput>;

// tools/many_lines.d.ts
import type { McpResult } from "@codemode/runtime/results";

/** For example `{ limits: 2, plain: "a" }`, `{ plain: "b" }`. */
export interface ManyLinesInput {
  /** Plain text */
  plain: string;
  any_int?: number;
  /** Pattern: `"^[a-z]+`*\/$"`. Longest length: `8`. */
  code?: string;
  /** How many. Minimum: `1`. Maximum: `10`. Default: `5`. */
  limits?: number;
  /**
   * First.
   * Second.
   */
  lines?: string;
  /**
   * @deprecated
   * Use plain.
   */
  old?: string;
  /** Format: date-time. For example `"2026-01-31T12:00:00Z"`. */
  when?: string;
  /** Its name is no identifier. */
  "with-dash"?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ManyLinesOutput = string | McpResult;

/**
 * First line.
 *
 * - one
 * - two
 *
 *     code block
 *
 * Last line.
 *
 * @param input.plain - Plain text
 * @param input.code - Pattern: `"^[a-z]+`*\/$"`. Longest length: `8`.
 * @param input.limits - How many. Minimum: `1`. Maximum: `10`. Default: `5`.
 * @param input.lines - First. Second.
 * @param input.old - Use plain.
 * @param input.when - Format: date-time. For example `"2026-01-31T12:00:00Z"`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 * @example
 * await many_lines({ limits: 2, plain: "a" });
 * @example
 * await many_lines({ plain: "b" });
 */
export declare function many_lines(input: ManyLinesInput): Promise<ManyLinesOutput>;

// tools/tags.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TagsInput {
  /** \@internal lies */
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TagsOutput = string | McpResult;

/**
 * \@deprecated no
 * Mail me \@home or install \@scope/name {\@link x}
 *  * \@param input lies
 *
 * @param input.a - \@internal lies
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function tags(input?: TagsInput): Promise<TagsOutput>;

// tools/title_only.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TitleOnlyInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TitleOnlyOutput = string | McpResult;

/**
 * Only a title
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function title_only(input?: TitleOnlyInput): Promise<TitleOnlyOutput>;

// sha256-5JMA8/gPLqXQt4YD+mpoK5PxU6UPQPXqX3aoAslRF08= of all files of the package
// 2c68617e7e4c index.js
// b477aa737b9c meta.d.ts
// 56abff16fa2c meta.js
// eeacb752a3ae tools.json
// eadc2c846120 tools/declared.js
// 26f000052baa tools/declared.validator.js
// 5f451d8f47e4 tools/many_lines.js
// 42a596f8875a tools/many_lines.validator.js
// 210511dfd8bb tools/tags.js
// 3d94abceadc9 tools/tags.validator.js
// 4bc16711b339 tools/title_only.js
// cdb492bb99b9 tools/title_only.validator.js
