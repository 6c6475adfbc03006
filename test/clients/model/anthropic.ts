import {
  answerText,
  type Block,
  type Body,
  countImages,
  type ModelApi,
  type ReplyFacts,
  sinceLastPrompt,
  textOf,
  type Turn,
} from "./model-api.ts";

interface Message {
  role: string;
  content: string | AnthropicBlock[];
}

interface AnthropicBlock extends Block {
  id?: string;
  name?: string;
  tool_use_id?: string;
  content?: unknown;
}

interface Tool {
  name?: string;
  description?: string;
}

/** The Messages API of Anthropic. */
export const ANTHROPIC: ModelApi = {
  id: "Anthropic Messages",
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  matches: (path) => path.endsWith("/messages"),
  isStreamed: (_path, body) => body["stream"] === true,
  read(body: Body) {
    const messages = sinceLastPrompt((body["messages"] ?? []) as Message[], promptOf);
    const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const names = new Map(blocks.filter(({ type }) => type === "tool_use").map(({ id, name }) => [id, name]));
    return {
      tools: ((body["tools"] ?? []) as Tool[]).map(({ name = "", description = "" }) => ({ name, description })),
      prompt: messages[0] === undefined ? "" : promptOf(messages[0]),
      answers: blocks
        .filter(({ type }) => type === "tool_result")
        .map(({ tool_use_id, content }) => ({
          tool: names.get(tool_use_id),
          text: answerText(content),
          images: countImages(content),
        })),
    };
  },
  print: (turn, facts) => ({
    ...describe(facts),
    content: ["call" in turn ? { ...describeCall(turn, facts), input: turn.input } : { type: "text", text: turn.text }],
    stop_reason: stopReason(turn),
    usage: { input_tokens: 10, output_tokens: 10 },
  }),
  printStream(turn, facts) {
    const isCall = "call" in turn;
    const start = isCall ? { ...describeCall(turn, facts), input: {} } : { type: "text", text: "" };
    const delta = isCall
      ? { type: "input_json_delta", partial_json: JSON.stringify(turn.input) }
      : { type: "text_delta", text: turn.text };
    const message = {
      ...describe(facts),
      content: [],
      stop_reason: null,
      usage: { input_tokens: 10, output_tokens: 1 },
    };
    const end = { stop_reason: stopReason(turn), stop_sequence: null };
    return [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: start },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: end, usage: { output_tokens: 10 } },
      { type: "message_stop" },
    ].map((data) => ({ name: data.type, data }));
  },
};

/** Results of tools stand in messages of the user, too, and may repeat a prompt. */
function promptOf({ role, content }: Message): string {
  if (role !== "user") return "";
  return textOf(Array.isArray(content) ? content.filter(({ type }) => type === "text") : content);
}

const describe = ({ id, model }: ReplyFacts) => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  model,
  stop_sequence: null,
});

const describeCall = (turn: Turn & { call: string }, { id }: ReplyFacts) => ({
  type: "tool_use",
  id: `toolu_${id}`,
  name: turn.call,
});

const stopReason = (turn: Turn): string => ("call" in turn ? "tool_use" : "end_turn");
