import { findCaller } from "#caller";
import { noteChange, noteContent } from "./content.ts";
import { SchemaValidationError } from "./errors.ts";
import { findUnsendable } from "./find-unsendable.ts";
import { toCodemodeError } from "./reply.ts";
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
  /** Of the definition that it was generated from; absent where the server alone did not give it. */
  integrity?: string;
}

/**
 * Validates the input, performs the call through the caller of this environment and returns the unwrapped result (specification 5.3).
 * Throws the classes of `@codemode/errors`.
 */
export async function callTool<Output = unknown>(tool: BoundTool, input: unknown = {}): Promise<Output> {
  assertSendable(tool, input);
  assertValidInput(tool, input);
  const reply = await findCaller(tool.serverId)(tool, toJson(tool, input));
  if (!reply.ok) throw toCodemodeError(reply.error, tool);
  if (reply.changed !== undefined) noteChange(tool, input, reply.changed);
  if (reply.content !== undefined) noteContent(reply.value, reply.content);
  return reply.value as Output;
}

/** Before the schema, which often takes any value: a server would get `{}` for a promise. */
function assertSendable(tool: BoundTool, input: unknown): void {
  const found = findUnsendable(input);
  if (found === undefined) return;
  const { serverId, toolName, exportName, example } = tool;
  const { pointer, what, hint } = found;
  const place = pointer === "" ? "the input" : `"${pointer}"`;
  throw new SchemaValidationError(`${exportName}: ${place} is ${what}, which cannot be written as JSON.`, {
    ...{ serverId, toolName, exportName, example, hint, pointer },
    ...{ expected: "a JSON value", received: what },
  });
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
    ...tool,
    hint: "Pass plain objects, arrays, strings, numbers, booleans and null only; a BigInt as String(value) or Number(value).",
    pointer: "",
    expected: "a JSON value",
    received: typeof input,
  });
}
