import { unwrapToolResult } from "@codemode/runtime/unwrap";
import { describeMismatch } from "@codemode/runtime/validation";
import { type JsonObject, ownValue } from "../../../schemas/json/json.ts";
import { cleanSchema } from "../../../schemas/json-schema/clean-schema.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";
import { compileSchema, type Validate } from "./compile-schema.ts";

/** Says in a few words how a tool's result differs from its output schema; undefined where it does not. */
export type OutputCheck = (tool: LockedTool, result: JsonObject) => string | undefined;

/** Makes a check that compiles each schema once, when its tool first answers. */
export function makeOutputCheck(): OutputCheck {
  const compiled = new Map<string, Validate>();
  return (tool, result) => {
    if (tool.outputSchema === undefined) return undefined;
    let value;
    try {
      value = valueOf(tool, result);
    } catch {
      return "it is not JSON"; // A long result is parsed when it is read.
    }
    if (value === undefined) return "it has no structuredContent";
    const validate = compiled.get(tool.integrity) ?? compileOutput(tool);
    compiled.set(tool.integrity, validate);
    try {
      const issues = validate(value);
      if (issues.length === 0) return undefined;
      const { pointer, expected, received } = describeMismatch(value, issues);
      return `${pointer === "" ? "it" : `"${pointer}"`} should be ${expected}, received ${received}`;
    } catch {
      // A recursive schema follows a value until the stack ends.
      return "it is nested too deep to be checked";
    }
  };
}

/** A server's schema is about `structuredContent`, one of the configuration about what the binding returns. */
function valueOf(tool: LockedTool, result: JsonObject): unknown {
  return tool.outputSchemaFrom === "configuration" ? unwrapToolResult(result) : ownValue(result, "structuredContent");
}

/** One mismatch is enough: a long list of wrong items must not become a longer list of errors. */
function compileOutput(tool: LockedTool): Validate {
  try {
    return compileSchema(cleanSchema(tool.outputSchema ?? true, "output"), { allErrors: false });
  } catch {
    return () => [];
  }
}
