// index.d.ts
export { __meta__ } from "./meta.js";
export { _, type _Input, type _Output } from "./tools/_.js";
export { $_x_, type XInput, type XOutput } from "./tools/$_x_.js";
export { ______etc_passwd, type EtcPasswdInput, type EtcPasswdOutput } from "./tools/______etc_passwd.js";
export { _____x____, type XInput2, type XOutput2 } from "./tools/_____x____.js";
export { __proto__, type ProtoInput, type ProtoOutput } from "./tools/__proto__.js";
export { ___2, type _2Input, type _2Output } from "./tools/___2.js";
export { a___process_exit_1_____, type AProcessExit1Input, type AProcessExit1Output } from "./tools/a___process_exit_1_____.js";
export { a__b, type ABInput, type ABOutput } from "./tools/a__b.js";
export { a_b, type ABInput2, type ABOutput2 } from "./tools/a_b.js";
export { constructor_prototype, type ConstructorPrototypeInput, type ConstructorPrototypeOutput } from "./tools/constructor_prototype.js";
export { é, type ÉInput, type ÉOutput } from "./tools/e-.js";
export { import__fs__, type ImportFsInput, type ImportFsOutput } from "./tools/import__fs__.js";
export { xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, type XxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxInput, type XxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxOutput } from "./tools/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.js";
export { xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy, type XxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyInput, type XxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyOutput } from "./tools/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-2.js";
export { _evil, type EvilInput, type EvilOutput } from "./tools/_evil.js";
export { 日本語, type 日本語Input, type 日本語Output } from "./tools/---.js";
export { ___3, type _3Input, type _3Output } from "./tools/___3.js";

// tools/$_x_.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface XInput {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type XOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function $_x_(input?: XInput): Promise<XOutput>;

// tools/---.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface 日本語Input {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type 日本語Output = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function 日本語(input?: 日本語Input): Promise<日本語Output>;

// tools/_.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface _Input {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type _Output = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function _(input?: _Input): Promise<_Output>;

// tools/___2.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface _2Input {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type _2Output = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function ___2(input?: _2Input): Promise<_2Output>;

// tools/___3.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface _3Input {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type _3Output = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function ___3(input?: _3Input): Promise<_3Output>;

// tools/______etc_passwd.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface EtcPasswdInput {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type EtcPasswdOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function ______etc_passwd(input?: EtcPasswdInput): Promise<EtcPasswdOutput>;

// tools/_____x____.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface XInput2 {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type XOutput2 = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function _____x____(input?: XInput2): Promise<XOutput2>;

// tools/__proto__.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ProtoInput {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ProtoOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function __proto__(input?: ProtoInput): Promise<ProtoOutput>;

// tools/_evil.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface EvilInput {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type EvilOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function _evil(input?: EvilInput): Promise<EvilOutput>;

// tools/a___process_exit_1_____.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface AProcessExit1Input {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type AProcessExit1Output = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function a___process_exit_1_____(input?: AProcessExit1Input): Promise<AProcessExit1Output>;

// tools/a__b.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ABInput {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ABOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function a__b(input?: ABInput): Promise<ABOutput>;

// tools/a_b.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ABInput2 {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ABOutput2 = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function a_b(input?: ABInput2): Promise<ABOutput2>;

// tools/constructor_prototype.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ConstructorPrototypeInput {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ConstructorPrototypeOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function constructor_prototype(input?: ConstructorPrototypeInput): Promise<ConstructorPrototypeOutput>;

// tools/e-.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ÉInput {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ÉOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function é(input?: ÉInput): Promise<ÉOutput>;

// tools/import__fs__.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ImportFsInput {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ImportFsOutput = string | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function import__fs__(input?: ImportFsInput): Promise<ImportFsOutput>;

// tools/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-2.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface XxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyInput {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type XxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyOutput =
  | string
  | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy(input?: XxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyInput): Promise<XxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyOutput>;

// tools/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface XxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxInput {
  a?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type XxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxOutput =
  | string
  | McpResult;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx(input?: XxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxInput): Promise<XxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxOutput>;

// sha256-VWuxAkgC0oNVX3h5vW0yMBsNCLaogJgxBfrVkSmD5EE= of all files of the package
// aabbafe56d64 index.js
// b477aa737b9c meta.d.ts
// d71e6a2577aa meta.js
// 0be5b08d7c52 tools.json
// a994c8ba86e2 tools/$_x_.js
// 3d94abceadc9 tools/$_x_.validator.js
// 15a824a492ee tools/---.js
// 3d94abceadc9 tools/---.validator.js
// 8e9c21aa9f5d tools/_.js
// 3d94abceadc9 tools/_.validator.js
// 79c8b23d4176 tools/___2.js
// 3d94abceadc9 tools/___2.validator.js
// 8b4304e47f48 tools/___3.js
// 3d94abceadc9 tools/___3.validator.js
// 4467c65ccfe3 tools/______etc_passwd.js
// 3d94abceadc9 tools/______etc_passwd.validator.js
// 725daec4bc57 tools/_____x____.js
// 3d94abceadc9 tools/_____x____.validator.js
// f71f6336054c tools/__proto__.js
// 3d94abceadc9 tools/__proto__.validator.js
// ab9b3e94abe1 tools/_evil.js
// 3d94abceadc9 tools/_evil.validator.js
// c9a78735b7e5 tools/a___process_exit_1_____.js
// 3d94abceadc9 tools/a___process_exit_1_____.validator.js
// cf5314e44bda tools/a__b.js
// 3d94abceadc9 tools/a__b.validator.js
// 52c17860731b tools/a_b.js
// 3d94abceadc9 tools/a_b.validator.js
// c8012e99597e tools/constructor_prototype.js
// 3d94abceadc9 tools/constructor_prototype.validator.js
// 22449cfe79cc tools/e-.js
// 3d94abceadc9 tools/e-.validator.js
// 8f26f7ace0ac tools/import__fs__.js
// 3d94abceadc9 tools/import__fs__.validator.js
// aae9d20e49f2 tools/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-2.js
// 3d94abceadc9 tools/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-2.validator.js
// ba4afbddb1a8 tools/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.js
// 3d94abceadc9 tools/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.validator.js
