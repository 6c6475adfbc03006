import {
  answerText,
  type Body,
  countImages,
  type ModelApi,
  type OfferedTool,
  type ReplyFacts,
  sinceLastPrompt,
  textOf,
  type Turn,
} from "./model-api.ts";

interface Item {
  type?: string;
  role?: string;
  content?: unknown;
  call_id?: string;
  name?: string;
  output?: unknown;
}

interface Tool {
  type?: string;
  name?: string;
  description?: string;
  tools?: Tool[];
}

const ANSWER = /^(?:function_call|custom_tool_call|mcp_tool_call|tool_search)_output$/;

/** The Responses API of OpenAI. Tools may stand in a namespace, whose name is apart from theirs. */
export const RESPONSES: ModelApi = {
  id: "OpenAI Responses",
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  matches: (path) => path.endsWith("/responses"),
  isStreamed: (_path, body) => body["stream"] === true,
  read(body: Body) {
    const input = body["input"];
    const items = Array.isArray(input) ? (input as Item[]) : [{ role: "user", content: input }];
    const recent = sinceLastPrompt<Item>(items, promptOf);
    const names = new Map(recent.filter(({ name }) => name !== undefined).map(({ call_id, name }) => [call_id, name]));
    return {
      tools: ((body["tools"] ?? []) as Tool[]).flatMap(listOffered),
      prompt: recent[0] === undefined ? "" : promptOf(recent[0]),
      answers: recent
        .filter(({ type = "" }) => ANSWER.test(type))
        .map(({ call_id, output }) => ({
          tool: names.get(call_id),
          text: answerText(output),
          images: countImages(output),
        })),
    };
  },
  print: (turn, facts) => complete(turn, facts),
  printStream(turn, facts) {
    const item = toItem(turn, facts);
    const done = complete(turn, facts);
    const at = { output_index: 0, item_id: item.id };
    const begun = { ...item, status: "in_progress", ...("call" in turn ? { arguments: "" } : { content: [] }) };
    const part = { ...at, content_index: 0 };
    const said: [string, object][] =
      "call" in turn
        ? [
            ["response.function_call_arguments.delta", { ...at, delta: JSON.stringify(turn.input) }],
            ["response.function_call_arguments.done", { ...at, arguments: JSON.stringify(turn.input) }],
          ]
        : [
            ["response.content_part.added", { ...part, part: { type: "output_text", text: "", annotations: [] } }],
            ["response.output_text.delta", { ...part, delta: turn.text }],
            ["response.output_text.done", { ...part, text: turn.text }],
          ];
    const events: [string, object][] = [
      ["response.created", { response: { ...done, status: "in_progress", output: [] } }],
      ["response.output_item.added", { output_index: 0, item: begun }],
      ...said,
      ["response.output_item.done", { output_index: 0, item }],
      ["response.completed", { response: done }],
    ];
    return events.map(([type, data], at) => ({ name: type, data: { type, sequence_number: at, ...data } }));
  },
};

function listOffered(tool: Tool): OfferedTool[] {
  if (tool.type !== "namespace") return [{ name: tool.name ?? tool.type ?? "", description: tool.description ?? "" }];
  const namespace = tool.name ?? "";
  return (tool.tools ?? []).map(({ name = "", description = "" }) => ({ name, namespace, description }));
}

const promptOf = ({ role, content }: Item): string => (role === "user" ? textOf(content) : "");

function toItem(turn: Turn, { id }: ReplyFacts) {
  if (!("call" in turn)) {
    const content = [{ type: "output_text", text: turn.text, annotations: [] }];
    return { type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content };
  }
  return {
    type: "function_call",
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name: turn.call,
    ...(turn.namespace === undefined ? {} : { namespace: turn.namespace }),
    arguments: JSON.stringify(turn.input),
    status: "completed",
  };
}

function complete(turn: Turn, facts: ReplyFacts) {
  const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
  return {
    id: `resp_${facts.id}`,
    object: "response",
    created_at: 1,
    model: facts.model,
    status: "completed",
    output: [toItem(turn, facts)],
    parallel_tool_calls: false,
    tools: [],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15, ...details },
  };
}
