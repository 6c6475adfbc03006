// index.d.ts
export { __meta__ } from "./meta.js";
export { Array, type ArrayInput, type ArrayOutput } from "./tools/Array.js";
export { NaN, type NaNInput, type NaNOutput } from "./tools/NaN.js";
export { Object, type ObjectInput, type ObjectOutput } from "./tools/Object.js";
export { Promise, type PromiseInput, type PromiseOutput } from "./tools/Promise.js";
export { Record, type RecordInput, type RecordOutput } from "./tools/Record.js";
export { as, type AsInput, type AsOutput } from "./tools/as.js";
export { async, type AsyncInput, type AsyncOutput } from "./tools/async.js";
export { callTool, type CallToolInput, type CallToolOutput } from "./tools/callTool.js";
export { constructor, type ConstructorInput, type ConstructorOutput } from "./tools/constructor.js";
export { exports, type ExportsInput, type ExportsOutput } from "./tools/exports.js";
export { globalThis, type GlobalThisInput, type GlobalThisOutput } from "./tools/globalThis.js";
export { input, type InputInput, type InputOutput } from "./tools/input.js";
export { module, type ModuleInput, type ModuleOutput } from "./tools/module.js";
export { of, type OfInput, type OfOutput } from "./tools/of.js";
export { require, type RequireInput, type RequireOutput } from "./tools/require.js";
export { tool, type ToolInput, type ToolOutput } from "./tools/tool.js";
export { type, type TypeInput, type TypeOutput } from "./tools/type.js";
export { unknown, type UnknownInput, type UnknownOutput } from "./tools/unknown.js";
export { validate0, type Validate0Input, type Validate0Output } from "./tools/validate0.js";
export { validateInput, type ValidateInputInput, type ValidateInputOutput } from "./tools/validateInput.js";

// tools/Array.d.ts
export interface ArrayInput {
  value: string;
}

export interface ArrayOutput {
  value: ArrayOutputArray;
}

export type ArrayOutputArray = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function Array(input: ArrayInput): Promise<ArrayOutput>;

// tools/NaN.d.ts
export interface NaNInput {
  value: string;
}

export interface NaNOutput {
  value: NaNOutputNaN;
}

export type NaNOutputNaN = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function NaN(input: NaNInput): Promise<NaNOutput>;

// tools/Object.d.ts
export interface ObjectInput {
  value: string;
}

export interface ObjectOutput {
  value: ObjectOutputObject;
}

export type ObjectOutputObject = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function Object(input: ObjectInput): Promise<ObjectOutput>;

// tools/Promise.d.ts
export interface PromiseInput {
  value: string;
}

export interface PromiseOutput {
  value: PromiseOutputPromise;
}

export type PromiseOutputPromise = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function Promise(input: PromiseInput): Promise<PromiseOutput>;

// tools/Record.d.ts
export interface RecordInput {
  value: string;
}

export interface RecordOutput {
  value: RecordOutputRecord;
}

export type RecordOutputRecord = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function Record(input: RecordInput): Promise<RecordOutput>;

// tools/as.d.ts
export interface AsInput {
  value: string;
}

export interface AsOutput {
  value: AsOutputAs;
}

export type AsOutputAs = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function as(input: AsInput): Promise<AsOutput>;

// tools/async.d.ts
export interface AsyncInput {
  value: string;
}

export interface AsyncOutput {
  value: AsyncOutputAsync;
}

export type AsyncOutputAsync = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function async(input: AsyncInput): Promise<AsyncOutput>;

// tools/callTool.d.ts
export interface CallToolInput {
  value: string;
}

export interface CallToolOutput {
  value: CallToolOutputCallTool;
}

export type CallToolOutputCallTool = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function callTool(input: CallToolInput): Promise<CallToolOutput>;

// tools/constructor.d.ts
export interface ConstructorInput {
  value: string;
}

export interface ConstructorOutput {
  value: ConstructorOutputConstructor;
}

export type ConstructorOutputConstructor = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function constructor(input: ConstructorInput): Promise<ConstructorOutput>;

// tools/exports.d.ts
export interface ExportsInput {
  value: string;
}

export interface ExportsOutput {
  value: ExportsOutputExports;
}

export type ExportsOutputExports = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function exports(input: ExportsInput): Promise<ExportsOutput>;

// tools/globalThis.d.ts
export interface GlobalThisInput {
  value: string;
}

export interface GlobalThisOutput {
  value: GlobalThisOutputGlobalThis;
}

export type GlobalThisOutputGlobalThis = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function globalThis(input: GlobalThisInput): Promise<GlobalThisOutput>;

// tools/input.d.ts
export interface InputInput {
  value: string;
}

export interface InputOutput {
  value: InputOutputInput;
}

export type InputOutputInput = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function input(input: InputInput): Promise<InputOutput>;

// tools/module.d.ts
export interface ModuleInput {
  value: string;
}

export interface ModuleOutput {
  value: ModuleOutputModule;
}

export type ModuleOutputModule = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function module(input: ModuleInput): Promise<ModuleOutput>;

// tools/of.d.ts
export interface OfInput {
  value: string;
}

export interface OfOutput {
  value: OfOutputOf;
}

export type OfOutputOf = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function of(input: OfInput): Promise<OfOutput>;

// tools/require.d.ts
export interface RequireInput {
  value: string;
}

export interface RequireOutput {
  value: RequireOutputRequire;
}

export type RequireOutputRequire = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function require(input: RequireInput): Promise<RequireOutput>;

// tools/tool.d.ts
export interface ToolInput {
  value: string;
}

export interface ToolOutput {
  value: ToolOutputTool;
}

export type ToolOutputTool = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function tool(input: ToolInput): Promise<ToolOutput>;

// tools/type.d.ts
export interface TypeInput {
  value: string;
}

export interface TypeOutput {
  value: TypeOutputType;
}

export type TypeOutputType = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function type(input: TypeInput): Promise<TypeOutput>;

// tools/unknown.d.ts
export interface UnknownInput {
  value: string;
}

export interface UnknownOutput {
  value: UnknownOutputUnknown;
}

export type UnknownOutputUnknown = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function unknown(input: UnknownInput): Promise<UnknownOutput>;

// tools/validate0.d.ts
export interface Validate0Input {
  value: string;
}

export interface Validate0Output {
  value: Validate0OutputValidate0;
}

export type Validate0OutputValidate0 = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function validate0(input: Validate0Input): Promise<Validate0Output>;

// tools/validateInput.d.ts
export interface ValidateInputInput {
  value: string;
}

export interface ValidateInputOutput {
  value: ValidateInputOutputValidateInput;
}

export type ValidateInputOutputValidateInput = string;

/**
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function validateInput(input: ValidateInputInput): Promise<ValidateInputOutput>;

// sha256-CwoqgeXxDVxoaTS8xuRTlGUdl/GMgGmPclzJ8qMAFXw= of all files of the package
// dd7d15ba3f2b index.js
// b477aa737b9c meta.d.ts
// 4107f8146335 meta.js
// 8922b3e9c237 tools.json
// 54d16d33fc81 tools/Array.js
// 0dc799421b51 tools/Array.validator.js
// c34db462fc4b tools/NaN.js
// 0dc799421b51 tools/NaN.validator.js
// c5fb95ea84c4 tools/Object.js
// 0dc799421b51 tools/Object.validator.js
// 03ae41353ee1 tools/Promise.js
// 0dc799421b51 tools/Promise.validator.js
// 8e66b5bf8da6 tools/Record.js
// 0dc799421b51 tools/Record.validator.js
// 8086337ad9f6 tools/as.js
// 0dc799421b51 tools/as.validator.js
// a6c7d4676bc6 tools/async.js
// 0dc799421b51 tools/async.validator.js
// b23c6e0ef686 tools/callTool.js
// 0dc799421b51 tools/callTool.validator.js
// 8c8899dc060e tools/constructor.js
// 0dc799421b51 tools/constructor.validator.js
// eefa4d1f8a68 tools/exports.js
// 0dc799421b51 tools/exports.validator.js
// b92aabf11145 tools/globalThis.js
// 0dc799421b51 tools/globalThis.validator.js
// e3292c6ae39b tools/input.js
// 0dc799421b51 tools/input.validator.js
// d243d3d07401 tools/module.js
// 0dc799421b51 tools/module.validator.js
// 33089d40aebc tools/of.js
// 0dc799421b51 tools/of.validator.js
// 06fcb30c3b63 tools/require.js
// 0dc799421b51 tools/require.validator.js
// 5b7457589a81 tools/tool.js
// 0dc799421b51 tools/tool.validator.js
// 405d10c4d005 tools/type.js
// 0dc799421b51 tools/type.validator.js
// 740d25ee97e6 tools/unknown.js
// 0dc799421b51 tools/unknown.validator.js
// f7316ddd2859 tools/validate0.js
// 0dc799421b51 tools/validate0.validator.js
// 6b849af8fc5d tools/validateInput.js
// 0dc799421b51 tools/validateInput.validator.js
