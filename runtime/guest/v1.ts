import { CodemodeError, SchemaValidationError } from "./errors.ts";
import { toCodemodeError, type ToolReply } from "./reply.ts";
import { describeIssues, type ValidationIssue } from "./validation.ts";

/** A validator as ajv's standalone mode prints it. */
export interface InputValidator {
  (input: unknown): boolean;
  errors?: ValidationIssue[] | null;
}

/** What a generated binding knows of its tool. */
export interface BoundTool {
  serverId: string;
  /** The canonical MCP tool name. */
  toolName: string;
  exportName: string;
  validateInput: InputValidator;
  /** A minimal valid input, shown when validation fails. */
  example?: unknown;
}

/** How calls leave: names and input as JSON text in, a `ToolReply` as JSON text out. */
type Caller = (serverId: string, toolName: string, inputJson: string) => Promise<string>;

/**
 * Validates the input, has the host perform the call and returns the unwrapped result (specification 5.3).
 * Throws the classes of `@codemode/errors`.
 */
export async function callTool<Output = unknown>(tool: BoundTool, input: unknown = {}): Promise<Output> {
  assertValidInput(tool, input);
  const reply = JSON.parse(await findCaller()(tool.serverId, tool.toolName, toJson(tool, input))) as ToolReply;
  if (!reply.ok) throw toCodemodeError(reply.error, tool);
  return reply.value as Output;
}

function assertValidInput(tool: BoundTool, input: unknown): void {
  if (tool.validateInput(input)) return;
  const { message, ...details } = describeIssues(tool, input, tool.validateInput.errors ?? []);
  throw new SchemaValidationError(message, details);
}

function toJson(tool: BoundTool, input: unknown): string {
  try {
    const json = JSON.stringify(input) as string | undefined;
    if (json !== undefined) return json;
  } catch {
    // A cycle or a BigInt: reported below like any other value that JSON cannot carry.
  }
  throw new SchemaValidationError(`The input of ${tool.exportName} cannot be written as JSON.`, {
    hint: "Pass plain objects, arrays, strings, numbers, booleans and null only.",
    serverId: tool.serverId,
    toolName: tool.toolName,
    exportName: tool.exportName,
    pointer: "",
    expected: "a JSON value",
    received: typeof input,
    example: tool.example,
  });
}

function findCaller(): Caller {
  const caller = (globalThis as { __codemode_call__?: Caller }).__codemode_call__;
  if (caller !== undefined) return caller;
  throw new CodemodeError("This tool can only be called inside a codemode sandbox.", {
    hint: "Run the script with `codemode run SCRIPT`.",
  });
}
