/** A tool as a request offers it to the model. */
export interface OfferedTool {
  name: string;
  /** Its group, in an API that has groups of tools. */
  namespace?: string;
  description: string;
}

/** What a tool answered, as the model reads it. */
export interface ToolAnswer {
  /** The name of the tool, where the API repeats it or the call can be found. */
  tool: string | undefined;
  text: string;
  images: number;
}

/** A request to the model, without the differences between the APIs. */
export interface ModelRequest {
  tools: OfferedTool[];
  /** The last prompt that names a script; empty where no prompt does. */
  prompt: string;
  /** Answers since that prompt. */
  answers: ToolAnswer[];
}

/** What the model says: a text, or one call. */
export type Turn =
  | { text: string }
  | { call: string; namespace?: string | undefined; input: Readonly<Record<string, unknown>> };

/** What a reply repeats from the request. */
export interface ReplyFacts {
  /** Different in each reply. */
  id: string;
  model: string;
}

/** One event of a stream; most APIs give it a name. */
export interface StreamEvent {
  name?: string;
  data: unknown;
}

/** One API of a model provider: how its requests are read and its replies written. */
export interface ModelApi {
  id: string;
  /** Names of tools that the real API accepts; it refuses a request with any other. */
  toolName: RegExp;
  matches(path: string): boolean;
  isStreamed(path: string, body: Body): boolean;
  read(body: Body): ModelRequest;
  print(turn: Turn, facts: ReplyFacts): unknown;
  printStream(turn: Turn, facts: ReplyFacts): StreamEvent[];
}

/** A parsed request. Each API reads the fields that it knows. */
export type Body = Record<string, unknown>;

/** What every prompt of a trial contains. */
export const SCRIPT_NAME = /Follow the script: ([a-z]+(?:-[a-z]+)*)/g;

/** The list from the last prompt that names a script; empty where none does. */
export function sinceLastPrompt<T>(items: readonly T[], readPrompt: (item: T) => string): T[] {
  const at = items.findLastIndex((item) => readPrompt(item).search(SCRIPT_NAME) >= 0);
  return at < 0 ? [] : items.slice(at);
}

/** A block of content in any API; only the kinds that carry text or a picture matter. */
export interface Block {
  type?: string;
  text?: string;
}

/** The text of a prompt, which is text or a list of blocks. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as Block[]).map(({ text }) => text ?? "").join("\n");
}

const PICTURES = new Set(["image", "image_url", "input_image"]);

export function countImages(content: unknown): number {
  return Array.isArray(content) ? (content as Block[]).filter(({ type = "" }) => PICTURES.has(type)).length : 0;
}

/** What the model reads of an answer: its text blocks as they are, pictures left out, anything else as JSON. */
export function answerText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined ? "" : JSON.stringify(content);
  return (content as Block[])
    .filter(({ type = "" }) => !PICTURES.has(type))
    .map((block) => block.text ?? JSON.stringify(block))
    .join("\n");
}
