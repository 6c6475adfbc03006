import { MockLanguageModelV4 } from "ai/test";
import { code } from "./script.ts";

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** Takes the place of a real model: it writes the script, and then repeats the answer of the tool. */
export const makeModel = (script: string): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doGenerate: async ({ prompt, tools = [] }) => {
      const [last] = prompt.slice(-1);
      if (last?.role === "tool") {
        const text = JSON.stringify(last.content);
        return {
          content: [{ type: "text", text }],
          finishReason: { unified: "stop", raw: undefined },
          usage,
          warnings: [],
        };
      }
      const input = JSON.stringify({ code: script });
      const toolName = tools[0]?.name ?? "";
      return {
        content: [{ type: "tool-call", toolCallId: "1", toolName, input }],
        finishReason: { unified: "tool-calls", raw: undefined },
        ...{ usage, warnings: [] },
      };
    },
  });

export const model = makeModel(code);
