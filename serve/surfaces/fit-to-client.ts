import type { JsonObject } from "../../schemas/json/json.ts";
import type { ClientTraits } from "../client-traits.ts";
import type { Surface, ToolCallResult } from "../surface.ts";

/** Gives each client the form of answers that its model reads once. */
export function fitToClient(surface: Surface): Surface {
  return {
    async listTools(client) {
      const tools = await surface.listTools(client);
      // A client may refuse a result without the structured content that the schema promises.
      return client?.answer === "text" ? tools.map(withoutOutput) : tools;
    },
    callTool(name, input, call) {
      const answering = surface.callTool(name, input, call);
      return answering?.then((result) => (result === undefined ? undefined : fitResult(result, call.client?.answer)));
    },
    runKind: (name) => surface.runKind(name),
  };
}

function withoutOutput({ outputSchema: _, ...tool }: JsonObject): JsonObject {
  return tool;
}

/** Images, sounds and the only form of an answer stay. */
export function fitResult(result: ToolCallResult, wanted: ClientTraits["answer"] = "both"): ToolCallResult {
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined || wanted === "both") return result;
  if (wanted === "structured") return { ...result, content: result.content.filter(({ type }) => type !== "text") };
  const hasText = result.content.some(({ type }) => type === "text");
  const text = { type: "text", text: JSON.stringify(structuredContent) };
  return hasText ? rest : { ...rest, content: [text, ...result.content] };
}
