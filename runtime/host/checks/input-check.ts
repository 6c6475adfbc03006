import type { ErrorObject } from "ajv";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";
import { cleanInputSchema } from "../../../schemas/json-schema/clean-schema.ts";
import { compileSchema, type Validate } from "./compile-schema.ts";

/** The errors of an input against a locked tool's schema, none when it may be sent. */
export type InputCheck = (tool: LockedTool, input: JsonValue) => readonly ErrorObject[];

/** Makes a check that compiles each schema once, when its tool is first called. */
export function makeInputCheck(): InputCheck {
  const compiled = new Map<string, Validate>();
  return (tool, input) => {
    const known = compiled.get(tool.integrity);
    const validate = known ?? compileInput(tool);
    if (known === undefined) compiled.set(tool.integrity, validate);
    return validate(input);
  };
}

/** A schema that the compiler gives up on checks nothing here: the server's own check remains. */
function compileInput(tool: LockedTool): Validate {
  try {
    return compileSchema(cleanInputSchema(tool.inputSchema));
  } catch {
    return () => [];
  }
}
