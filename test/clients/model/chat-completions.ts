import { answerText, type Body, countImages, type ModelApi, sinceLastPrompt, textOf, type Turn } from "./model-api.ts";

interface Message {
  role: string;
  content?: unknown;
  tool_call_id?: string;
  tool_calls?: { id: string; function?: { name?: string } }[];
}

interface Tool {
  function?: { name?: string; description?: string };
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** The Chat Completions API of OpenAI, which many other providers offer as well. */
export const CHAT_COMPLETIONS: ModelApi = {
  id: "OpenAI Chat Completions",
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  matches: (path) => path.endsWith("/chat/completions"),
  isStreamed: (_path, body) => body["stream"] === true,
  read(body: Body) {
    const messages = sinceLastPrompt((body["messages"] ?? []) as Message[], promptOf);
    const names = new Map(
      messages.flatMap(({ tool_calls = [] }) => tool_calls).map((call) => [call.id, call.function?.name]),
    );
    return {
      tools: ((body["tools"] ?? []) as Tool[]).map((tool) => ({
        name: tool.function?.name ?? "",
        description: tool.function?.description ?? "",
      })),
      prompt: messages[0] === undefined ? "" : promptOf(messages[0]),
      answers: messages.flatMap(({ role, content, tool_call_id }, at) => {
        if (role !== "tool") return [];
        // Only messages of the user may hold pictures, so clients add one after the answer.
        const next = messages[at + 1];
        const images = countImages(content) + (next?.role === "user" ? countImages(next.content) : 0);
        return [{ tool: names.get(tool_call_id ?? ""), text: answerText(content), images }];
      }),
    };
  },
  print: (turn, { id, model }) => ({
    id: `chatcmpl-${id}`,
    object: "chat.completion",
    created: 1,
    model,
    choices: [{ index: 0, finish_reason: finishReason(turn), message: { role: "assistant", ...say(turn, id) } }],
    usage: USAGE,
  }),
  printStream(turn, { id, model }) {
    const chunk = { id: `chatcmpl-${id}`, object: "chat.completion.chunk", created: 1, model };
    const delta = { role: "assistant", ...say(turn, id) };
    return [
      { data: { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] } },
      { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finishReason(turn) }], usage: USAGE } },
      { data: "[DONE]" },
    ];
  },
};

const promptOf = ({ role, content }: Message): string => (role === "user" ? textOf(content) : "");

const finishReason = (turn: Turn): string => ("call" in turn ? "tool_calls" : "stop");

function say(turn: Turn, id: string) {
  if (!("call" in turn)) return { content: turn.text };
  const call = { name: turn.call, arguments: JSON.stringify(turn.input) };
  return { content: null, tool_calls: [{ index: 0, id: `call_${id}`, type: "function", function: call }] };
}
