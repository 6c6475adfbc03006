const OPENAI = {
  base: "https://api.openai.com/v1",
  key: "OPENAI_API_KEY",
  path: "/chat/completions",
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  request: ({ model, system, tools, messages }) => ({
    model,
    messages: [{ role: "system", content: system }, ...messages],
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    })),
  }),
  ask: (text) => ({ role: "user", content: text }),
  read({ choices, usage }) {
    const [{ message }] = choices;
    const { content, tool_calls: calls = [] } = message;
    return {
      message: { role: "assistant", content: content ?? null, ...(calls?.length > 0 && { tool_calls: calls }) },
      text: content ?? "",
      calls: (calls ?? []).map(({ id, function: { name, arguments: input } }) => ({ id, name, input: parse(input) })),
      tokens: { input: usage?.prompt_tokens ?? 0, output: usage?.completion_tokens ?? 0 },
    };
  },
  answer: (results) => results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text })),
};

const ANTHROPIC = {
  base: "https://api.anthropic.com/v1",
  key: "ANTHROPIC_API_KEY",
  path: "/messages",
  headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  request: ({ model, system, tools, messages }) => ({
    model,
    max_tokens: 4096,
    system,
    messages,
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
  }),
  ask: (text) => ({ role: "user", content: text }),
  read({ content, usage }) {
    return {
      message: { role: "assistant", content },
      text: content.map(({ type, text }) => (type === "text" ? text : "")).join(""),
      calls: content.filter(({ type }) => type === "tool_use").map(({ id, name, input }) => ({ id, name, input })),
      tokens: { input: usage?.input_tokens ?? 0, output: usage?.output_tokens ?? 0 },
    };
  },
  answer: (results) => [
    {
      role: "user",
      content: results.map(({ id, text }) => ({ type: "tool_result", tool_use_id: id, content: text })),
    },
  ],
};

/**
 * The APIs that models are asked through, without streaming: where, with which headers, how a conversation becomes the body of a request, and what a
 * reply says. `read` gives the message to repeat, the text, the calls, and the tokens that the provider counted.
 */
export const MODEL_APIS = { openai: OPENAI, anthropic: ANTHROPIC };

/** A model may write arguments that are no JSON; the tool answers that. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
