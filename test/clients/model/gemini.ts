import { type Body, type ModelApi, sinceLastPrompt, type Turn } from "./model-api.ts";

interface Content {
  role?: string;
  parts?: Part[];
}

interface Part {
  text?: string;
  inlineData?: unknown;
  functionResponse?: { name?: string; response?: unknown; parts?: Part[] };
}

interface Tool {
  functionDeclarations?: { name?: string; description?: string }[];
}

/** Google's Gemini API. Names of its tools may have dots. */
export const GEMINI: ModelApi = {
  id: "Gemini",
  toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  matches: (path) => /:(?:stream)?generateContent$/i.test(path),
  isStreamed: (path) => path.endsWith(":streamGenerateContent"),
  read(body: Body) {
    const contents = sinceLastPrompt((body["contents"] ?? []) as Content[], promptOf);
    const tools = ((body["tools"] ?? []) as Tool[]).flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    return {
      tools: tools.map(({ name = "", description = "" }) => ({ name, description })),
      prompt: contents[0] === undefined ? "" : promptOf(contents[0]),
      answers: contents.flatMap(({ parts = [] }) => {
        // A picture stands beside the answer or in it.
        const beside = countPictures(parts);
        return parts.flatMap(({ functionResponse: answer }) =>
          answer === undefined
            ? []
            : [{ tool: answer.name, text: readAnswer(answer.response), images: beside + countPictures(answer.parts) }],
        );
      }),
    };
  },
  print: (turn) => complete(turn),
  printStream: (turn) => [{ data: complete(turn) }],
};

const promptOf = ({ role, parts = [] }: Content): string =>
  role === "user" ? parts.map(({ text = "" }) => text).join("\n") : "";

const countPictures = (parts: Part[] = []): number => parts.filter(({ inlineData }) => inlineData !== undefined).length;

/** The text of an answer that is one, else its JSON. */
function readAnswer(response: unknown): string {
  const output = (response as { output?: unknown } | undefined)?.output;
  return typeof output === "string" ? output : JSON.stringify(response ?? "");
}

function complete(turn: Turn) {
  const part = "call" in turn ? { functionCall: { name: turn.call, args: turn.input } } : { text: turn.text };
  return {
    candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [part] } }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    modelVersion: "scripted",
  };
}
