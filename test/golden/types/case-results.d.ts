// index.d.ts
export { __meta__ } from "./meta.js";
export { JsonText, type JsonTextInput, type JsonTextOutput } from "./tools/JsonText.js";
export { McpResult, type McpResultInput, type McpResultOutput } from "./tools/McpResult.js";
export { blocks_only, type BlocksOnlyInput, type BlocksOnlyOutput } from "./tools/blocks_only.js";
export { declared, type DeclaredInput, type DeclaredOutput } from "./tools/declared.js";
export { empty_forms, type EmptyFormsInput, type EmptyFormsOutput } from "./tools/empty_forms.js";
export { every_form, type EveryFormInput, type EveryFormOutput } from "./tools/every_form.js";
export { hostile_fields, type HostileFieldsInput, type HostileFieldsOutput } from "./tools/hostile_fields.js";
export { json_text, type JsonTextInput2, type JsonTextOutput2 } from "./tools/json_text.js";
export { map_inside, type MapInsideInput, type MapInsideOutput } from "./tools/map_inside.js";
export { mixed_text, type MixedTextInput, type MixedTextOutput } from "./tools/mixed_text.js";
export { plain_text, type PlainTextInput, type PlainTextOutput } from "./tools/plain_text.js";
export { structured, type StructuredInput, type StructuredOutput } from "./tools/structured.js";

// tools/JsonText.d.ts
import type { JsonText as JsonText2 } from "@codemode/runtime/results";

export interface JsonTextInput {
  [k: string]: never;
}

/** Observed in 1 result; the server does not promise it. */
export type JsonTextOutput = JsonText2<JsonTextOutputJson>;

export interface JsonTextOutputJson {
  a: number;
}

/**
 * Has the name of a type.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function JsonText(input?: JsonTextInput): Promise<JsonTextOutput>;

// tools/McpResult.d.ts
export interface McpResultInput {
  [k: string]: never;
}

/** Observed in 1 result; the server does not promise it. */
export type McpResultOutput = string;

/**
 * Has the name of a type.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function McpResult(input?: McpResultInput): Promise<McpResultOutput>;

// tools/blocks_only.d.ts
import type { McpResult as McpResult2 } from "@codemode/runtime/results";

export interface BlocksOnlyInput {
  [k: string]: never;
}

/** Observed in 1 result; the server does not promise it. */
export type BlocksOnlyOutput = McpResult2;

/**
 * Pictures.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function blocks_only(input?: BlocksOnlyInput): Promise<BlocksOnlyOutput>;

// tools/declared.d.ts
export interface DeclaredInput {
  [k: string]: never;
}

export interface DeclaredOutput {
  id: string;
}

/**
 * A schema of the server wins.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function declared(input?: DeclaredInput): Promise<DeclaredOutput>;

// tools/empty_forms.d.ts
import type { JsonText as JsonText2 } from "@codemode/runtime/results";

export interface EmptyFormsInput {
  [k: string]: never;
}

/** Observed in 1 result; the server does not promise it. */
export type EmptyFormsOutput = JsonText2<EmptyFormsOutputJson>;

export interface EmptyFormsOutputJson {
  list: any[];
  object: {
    [k: string]: any;
  };
}

/**
 * Nothing inside yet.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function empty_forms(input?: EmptyFormsInput): Promise<EmptyFormsOutput>;

// tools/every_form.d.ts
import type { JsonText as JsonText2, McpResult as McpResult2 } from "@codemode/runtime/results";

export interface EveryFormInput {
  [k: string]: never;
}

/** Observed in 4 results; the server does not promise it. Some results were a plain text. */
export type EveryFormOutput = JsonText2<EveryFormOutputJson> | EveryFormOutputContent | McpResult2;

export interface EveryFormOutputJson {
  a: boolean;
}

export interface EveryFormOutputContent {
  b: number;
}

/**
 * Every form.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function every_form(input?: EveryFormInput): Promise<EveryFormOutput>;

// tools/hostile_fields.d.ts
import type { JsonText as JsonText2 } from "@codemode/runtime/results";

export interface HostileFieldsInput {
  [k: string]: never;
}

/** Observed in 1 result; the server does not promise it. */
export type HostileFieldsOutput = JsonText2<HostileFieldsOutputJson>;

export interface HostileFieldsOutputJson {
  JSON: any;
  __proto__: number;
  constructor: string;
}

/**
 * Fields with difficult names.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function hostile_fields(input?: HostileFieldsInput): Promise<HostileFieldsOutput>;

// tools/json_text.d.ts
import type { JsonText as JsonText2 } from "@codemode/runtime/results";

export interface JsonTextInput2 {
  [k: string]: never;
}

/** Observed in 2 results; the server does not promise it. */
export type JsonTextOutput2 = JsonText2<JsonTextOutput2Json>;

export interface JsonTextOutput2Json {
  author: {
    login: string;
    url?: string;
  };
  body: string | null;
  labels: {
    name: string;
  }[];
  number: number;
  title: string;
}

/**
 * JSON in a text.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function json_text(input?: JsonTextInput2): Promise<JsonTextOutput2>;

// tools/map_inside.d.ts
import type { JsonText as JsonText2 } from "@codemode/runtime/results";

export interface MapInsideInput {
  [k: string]: never;
}

/** Observed in 1 result; the server does not promise it. */
export type MapInsideOutput = JsonText2<MapInsideOutputJson>;

export interface MapInsideOutputJson {
  any: number;
  byId: {
    [k: string]: {
      size: number;
    };
  };
}

/**
 * A map by id.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function map_inside(input?: MapInsideInput): Promise<MapInsideOutput>;

// tools/mixed_text.d.ts
import type { JsonText as JsonText2 } from "@codemode/runtime/results";

export interface MixedTextInput {
  [k: string]: never;
}

/** Observed in 2 results; the server does not promise it. Some results were a plain text. */
export type MixedTextOutput = JsonText2<MixedTextOutputJson>;

export type MixedTextOutputJson = {
  id: number;
}[];

/**
 * JSON, or a plain text.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function mixed_text(input?: MixedTextInput): Promise<MixedTextOutput>;

// tools/plain_text.d.ts
export interface PlainTextInput {
  [k: string]: never;
}

/** Observed in 2 results; the server does not promise it. */
export type PlainTextOutput = string;

/**
 * Always a plain text.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function plain_text(input?: PlainTextInput): Promise<PlainTextOutput>;

// tools/structured.d.ts
export interface StructuredInput {
  [k: string]: never;
}

/** Observed in 1 result; the server does not promise it. */
export interface StructuredOutput {
  rows: {
    id: number;
    name?: string;
  }[];
  total: number;
}

/**
 * Structured content without a schema.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function structured(input?: StructuredInput): Promise<StructuredOutput>;

// sha256-Ame+bHV5PBtbfpNhgn6yBpjsM57ckqns9W3Pcnyv3AA= of all files of the package
// daf2f36a9a84 index.js
// b477aa737b9c meta.d.ts
// db8f42a37cc4 meta.js
// b2ba64e79293 tools.json
// 97aeb07f666d tools/JsonText.js
// 648a0e9a8447 tools/JsonText.validator.js
// d8e3d9fffe9d tools/McpResult.js
// 648a0e9a8447 tools/McpResult.validator.js
// 8b52cc777292 tools/blocks_only.js
// 648a0e9a8447 tools/blocks_only.validator.js
// 77c06b810485 tools/declared.js
// 648a0e9a8447 tools/declared.validator.js
// a44506ac5533 tools/empty_forms.js
// 648a0e9a8447 tools/empty_forms.validator.js
// 4bb451e1bdb6 tools/every_form.js
// 648a0e9a8447 tools/every_form.validator.js
// d9a5b71e865c tools/hostile_fields.js
// 648a0e9a8447 tools/hostile_fields.validator.js
// 51c7cea681bc tools/json_text.js
// 648a0e9a8447 tools/json_text.validator.js
// a2f45da45509 tools/map_inside.js
// 648a0e9a8447 tools/map_inside.validator.js
// bfd5648e2547 tools/mixed_text.js
// 648a0e9a8447 tools/mixed_text.validator.js
// 26536e541202 tools/plain_text.js
// 648a0e9a8447 tools/plain_text.validator.js
// 22b4964f61db tools/structured.js
// 648a0e9a8447 tools/structured.validator.js
