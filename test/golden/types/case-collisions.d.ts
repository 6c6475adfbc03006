// index.d.ts
export { __meta__ } from "./meta.js";
export { _21st_tool, type _21stToolInput, type _21stToolOutput } from "./tools/_21st_tool.js";
export { CON, type CONInput, type CONOutput } from "./tools/CON-.js";
export { EchoInput, type EchoInputInput, type EchoInputOutput } from "./tools/EchoInput.js";
export { GET_ITEM, type GETITEMInput, type GETITEMOutput } from "./tools/GET_ITEM.js";
export { Get_Item, type GetItemInput, type GetItemOutput } from "./tools/Get_Item-2.js";
export { __meta____2, type Meta2Input, type Meta2Output } from "./tools/__meta____2.js";
export { con, type ConInput, type ConOutput } from "./tools/con--2.js";
export { delete_, type DeleteInput, type DeleteOutput } from "./tools/delete_.js";
export { echo, type EchoInput2, type EchoOutput } from "./tools/echo.js";
export { get_item, type GetItemInput2, type GetItemOutput2 } from "./tools/get_item-3.js";
export { get_item__2, type GetItem2Input, type GetItem2Output } from "./tools/get_item__2.js";
export { get_item__3, type GetItem3Input, type GetItem3Output } from "./tools/get_item__3.js";
export { get_item__4, type GetItem4Input, type GetItem4Output } from "./tools/get_item__4.js";
export { nul, type NulInput, type NulOutput } from "./tools/nul-.js";

// tools/CON-.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface CONInput {
  from: "CON";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type CONOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function CON(input: CONInput): Promise<CONOutput>;

// tools/EchoInput.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface EchoInputInput {
  from: "EchoInput";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type EchoInputOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function EchoInput(input: EchoInputInput): Promise<EchoInputOutput>;

// tools/GET_ITEM.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GETITEMInput {
  from: "GET_ITEM";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GETITEMOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function GET_ITEM(input: GETITEMInput): Promise<GETITEMOutput>;

// tools/Get_Item-2.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetItemInput {
  from: "Get_Item";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetItemOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function Get_Item(input: GetItemInput): Promise<GetItemOutput>;

// tools/_21st_tool.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface _21stToolInput {
  from: "21st_tool";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type _21stToolOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function _21st_tool(input: _21stToolInput): Promise<_21stToolOutput>;

// tools/__meta____2.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface Meta2Input {
  from: "__meta__";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type Meta2Output = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function __meta____2(input: Meta2Input): Promise<Meta2Output>;

// tools/con--2.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ConInput {
  from: "con";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ConOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function con(input: ConInput): Promise<ConOutput>;

// tools/delete_.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface DeleteInput {
  from: "delete";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type DeleteOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function delete_(input: DeleteInput): Promise<DeleteOutput>;

// tools/echo.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface EchoInput2 {
  from: "echo";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type EchoOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function echo(input: EchoInput2): Promise<EchoOutput>;

// tools/get_item-3.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetItemInput2 {
  from: "get item";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetItemOutput2 = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_item(input: GetItemInput2): Promise<GetItemOutput2>;

// tools/get_item__2.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetItem2Input {
  from: "get-item";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetItem2Output = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_item__2(input: GetItem2Input): Promise<GetItem2Output>;

// tools/get_item__3.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetItem3Input {
  from: "get.item";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetItem3Output = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_item__3(input: GetItem3Input): Promise<GetItem3Output>;

// tools/get_item__4.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetItem4Input {
  from: "get_item";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetItem4Output = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_item__4(input: GetItem4Input): Promise<GetItem4Output>;

// tools/nul-.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface NulInput {
  from: "nul";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type NulOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function nul(input: NulInput): Promise<NulOutput>;

// sha256-iSF6drfMfYvo0++tj8WpfQLAK+9Vckd4ACex63ca72g= of all files of the package
// 507d2dee39e8 index.js
// b477aa737b9c meta.d.ts
// 3c783b4b60ea meta.js
// a234c56367fa tools.json
// 4355a1154260 tools/CON-.js
// 8b76521bb369 tools/CON-.validator.js
// e7099db730aa tools/EchoInput.js
// 27db96ac6ee1 tools/EchoInput.validator.js
// 62538d598400 tools/GET_ITEM.js
// d92004b8310b tools/GET_ITEM.validator.js
// bf2420d59f08 tools/Get_Item-2.js
// 09850222e1f0 tools/Get_Item-2.validator.js
// f93c1560e0a7 tools/_21st_tool.js
// ddd672abc9e7 tools/_21st_tool.validator.js
// 00693618c711 tools/__meta____2.js
// a0f2965cebb3 tools/__meta____2.validator.js
// e6fda0d90c9f tools/con--2.js
// 9e1d5ede3587 tools/con--2.validator.js
// 2573c5153cde tools/delete_.js
// c1bb57731ce4 tools/delete_.validator.js
// 299c6a58c46e tools/echo.js
// d03954a25a00 tools/echo.validator.js
// 84630cf3c19e tools/get_item-3.js
// 1b2333ffb647 tools/get_item-3.validator.js
// 24196b73c65e tools/get_item__2.js
// 3f66809fc510 tools/get_item__2.validator.js
// f70a7128e1b6 tools/get_item__3.js
// 097f8c7f2f8a tools/get_item__3.validator.js
// 90227991d050 tools/get_item__4.js
// 9e0801f04de4 tools/get_item__4.validator.js
// c776ff2137f3 tools/nul-.js
// 898105939dab tools/nul-.validator.js
