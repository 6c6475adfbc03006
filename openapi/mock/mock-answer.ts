import type { CallToolResult } from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { type AnswerContext, readAnswer } from "../answer/read-answer.ts";
import type { JsonObject } from "../json.ts";
import type { ApiTool } from "../tools/make-tools.ts";
import { mockReplies } from "./mock-reply.ts";
import { withinTime } from "./within-time.ts";

type Fits = (value: unknown) => boolean;

/** A check costs some time to compile, and is used at each call. */
const CHECKS = new WeakMap<ApiTool, Fits>();

/** The first mocked answer that fits the output schema of its tool, as a client checks it; the first of all where none does. */
export function mockAnswer(tool: ApiTool, root: JsonObject, url: URL, context: AnswerContext): CallToolResult {
  const fits = CHECKS.get(tool) ?? makeCheck(tool);
  CHECKS.set(tool, fits);
  let first: CallToolResult | undefined;
  for (const reply of mockReplies(root, tool.operation, url)) {
    const answer = readAnswer(tool, reply, context);
    if (fits(answer.structuredContent)) return answer;
    first ??= answer;
  }
  return first ?? { content: [] };
}

function makeCheck({ definition: { outputSchema } }: ApiTool): Fits {
  if (outputSchema === undefined) return () => true;
  const validator = new AjvJsonSchemaValidator();
  return (value) => {
    try {
      const check = validator.getValidator(outputSchema as { type: "object" });
      // What takes too long to check refuses nothing.
      return withinTime(() => check(value).valid)?.value ?? true;
    } catch {
      // A schema that cannot be checked, such as one that is nothing but itself, refuses nothing.
      return true;
    }
  };
}
