import { type ModelRequest, type OfferedTool, SCRIPT_NAME, type ToolAnswer, type Turn } from "./model-api.ts";

/** One call that the model makes: of codemode's tool, or of another one of the client, for which it may have to search. */
export type Step =
  | { script: string | ((answers: readonly string[]) => string) }
  /** Asks for the answer of a run that goes on; the last answer ends the scenario where it has one. */
  | { waits: true }
  | { tool: RegExp; input: Readonly<Record<string, unknown>>; search?: string };

/** What the model says when its script has ended. */
export const FINISHED = "The script has ended.";

/** Tools that show other tools to the model. */
const FINDER = /^tool_?search$/i;

/** A tool that calls a found one, where the client never adds that to its list. */
const CALLER = "tool_call";

/** codemode's tool under the names that clients make of it: with a prefix, and with a digest behind. */
const RUN = /codemode[\w.:-]*run(?:_[0-9a-z]{7,8})?$/i;

/**
 * What the model says next. It follows the steps of the script that the prompt names, one for each answer so far. Where a client shows codemode's
 * tool only to a model that searches for it, the model searches once.
 */
export function decide(request: ModelRequest, scripts: ReadonlyMap<string, readonly Step[]>): Turn {
  const steps = scripts.get([...request.prompt.matchAll(SCRIPT_NAME)].at(-1)?.[1] ?? "");
  if (steps === undefined || request.tools.length === 0) return { text: "Nothing to do." };
  const searches = request.answers.filter(isSearch);
  const answers = listAnswers(request);
  const step = steps[answers.length];
  if (step === undefined) return { text: FINISHED };
  const finder = searches.length === 0 ? request.tools.find(({ name }) => FINDER.test(name)) : undefined;
  if ("tool" in step) {
    const tool = request.tools.find(({ name }) => step.tool.test(name));
    if (tool !== undefined) return call(tool, step.input);
    if (finder !== undefined && step.search !== undefined) return call(finder, { query: step.search, max_results: 5 });
    return { text: `There is no tool like ${step.tool.source}.` };
  }
  const texts = answers.map(({ text }) => text);
  const runId = "waits" in step ? readRunId(texts.at(-1), request.prompt) : undefined;
  if ("waits" in step && runId === undefined) return { text: FINISHED };
  const input = "waits" in step ? { runId } : { code: codeOf(step, texts) };
  const offered = findOffered(request.tools);
  if (offered !== undefined) return call(offered, input);
  const found = findInSearches(request);
  if (found !== undefined) {
    const caller = request.tools.find(({ name }) => name === CALLER);
    return caller === undefined ? call(found, input) : call(caller, { name: found.name, arguments: input });
  }
  if (finder !== undefined) return call(finder, { query: "codemode run", max_results: 5 });
  return { text: `codemode is not among the ${request.tools.length} tools.` };
}

/** The run that goes on as the last answer says, or before the first answer the prompt. Some clients give the model JSON in a string. */
function readRunId(last: string | undefined, prompt: string): string | undefined {
  if (last !== undefined && !last.includes("RUN_CONTINUES")) return undefined;
  return /\\*"runId\\*":\s*\\*"([\w-]+)/.exec(last ?? prompt)?.[1];
}

function codeOf({ script }: Extract<Step, { script: unknown }>, answers: readonly string[]): string {
  return typeof script === "string" ? script : script(answers);
}

/** codemode's tool, if a search has shown it to the model. */
export function findInSearches({ answers }: ModelRequest): OfferedTool | undefined {
  for (const { text } of answers.filter(isSearch)) {
    const name = text.match(/[\w.:-]+/g)?.find((word) => RUN.test(word));
    if (name !== undefined) return { name, description: readJsonText(text, "description") };
  }
  return undefined;
}

/** The first text of this key, in JSON that other text may surround; empty if there is none. */
function readJsonText(text: string, key: string): string {
  const found = new RegExp(`"${key}":("(?:[^"\\\\]|\\\\.)*")`).exec(text)?.[1];
  return found === undefined ? "" : (JSON.parse(found) as string);
}

/** codemode's tool among the tools that a request offers. */
export function findOffered(tools: readonly OfferedTool[]): OfferedTool | undefined {
  return tools.find((tool) => RUN.test(fullName(tool)));
}

/** The name of a tool with its group's. */
export function fullName({ namespace, name }: OfferedTool): string {
  return namespace === undefined ? name : `${namespace}.${name}`;
}

/** The answers of tools that the script called. */
export function listAnswers({ answers }: ModelRequest): ToolAnswer[] {
  return answers.filter((answer) => !isSearch(answer));
}

const isSearch = ({ tool }: ToolAnswer): boolean => tool !== undefined && FINDER.test(tool);

const call = ({ name, namespace }: OfferedTool, input: Readonly<Record<string, unknown>>): Turn => ({
  call: name,
  namespace,
  input,
});
