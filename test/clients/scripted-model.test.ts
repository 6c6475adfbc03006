import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decide } from "./model/decide.ts";
import { type ScriptedModel, startModel } from "./model/start-model.ts";

const SCRIPTS = new Map([["call", [{ script: "export default 1;" }]]]);
const PROMPT = "Follow the script: call";

let model: ScriptedModel;

beforeAll(async () => {
  model = await startModel(SCRIPTS);
});

afterAll(() => model?.close());

/** One API: the request with a tool of this name, before and after the answer of the tool, and what the reply has to contain. */
interface ApiCase {
  path: string;
  first(name: string): object;
  second(name: string): object;
  call: RegExp;
  refusesDots: boolean;
}

const tool = (name: string) => ({ name, description: "Runs a script" });
const CALL = /"codemode_run".*export default 1;/s;

const APIS: Record<string, ApiCase> = {
  "Anthropic Messages": {
    path: "/v1/messages",
    first: (name) => ({ tools: [tool(name)], messages: [{ role: "user", content: PROMPT }] }),
    second: (name) => ({
      tools: [tool(name)],
      messages: [
        { role: "user", content: PROMPT },
        { role: "assistant", content: [{ type: "tool_use", id: "1", name, input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "42" }] }] },
      ],
    }),
    call: CALL,
    refusesDots: true,
  },
  "OpenAI Chat Completions": {
    path: "/v1/chat/completions",
    first: (name) => ({ tools: [{ function: tool(name) }], messages: [{ role: "user", content: PROMPT }] }),
    second: (name) => ({
      tools: [{ function: tool(name) }],
      messages: [
        { role: "user", content: PROMPT },
        { role: "assistant", tool_calls: [{ id: "1", function: { name } }] },
        { role: "tool", tool_call_id: "1", content: "42" },
      ],
    }),
    call: CALL,
    refusesDots: true,
  },
  "OpenAI Responses": {
    path: "/v1/responses",
    first: (name) => ({ tools: [tool(name)], input: [{ role: "user", content: PROMPT }] }),
    second: (name) => ({
      tools: [{ type: "namespace", name: "mcp__codemode", tools: [tool(name)] }],
      input: [
        { role: "user", content: [{ type: "input_text", text: PROMPT }] },
        { type: "function_call", call_id: "1", name },
        { type: "function_call_output", call_id: "1", output: "42" },
      ],
    }),
    call: CALL,
    refusesDots: true,
  },
  Gemini: {
    path: "/v1beta/models/gemini:generateContent",
    first: (name) => ({
      tools: [{ functionDeclarations: [tool(name)] }],
      contents: [{ role: "user", parts: [{ text: PROMPT }] }],
    }),
    second: (name) => ({
      tools: [{ functionDeclarations: [tool(name)] }],
      contents: [
        { role: "user", parts: [{ text: PROMPT }] },
        { role: "user", parts: [{ functionResponse: { name, response: { output: "42" } } }] },
      ],
    }),
    call: CALL,
    refusesDots: false,
  },
};

describe.each(Object.entries(APIS))("the scripted model with the API %s", (id, api) => {
  it("calls codemode's tool with the script, and ends after the answer", async () => {
    model.takeRequests();
    expect(await send(api.path, api.first("codemode_run"))).toMatch(api.call);
    expect(await send(api.path, api.second("codemode_run"))).toContain("The script has ended.");
    const [, second] = model.takeRequests();
    expect(second).toMatchObject({ api: id, answers: [{ tool: "codemode_run", text: "42", images: 0 }] });
  });

  it("streams the same call", async () => {
    const isInPath = id === "Gemini";
    const path = isInPath ? api.path.replace("generate", "streamGenerate") : api.path;
    const text = await send(path, { ...api.first("codemode_run"), ...(isInPath ? {} : { stream: true }) });
    expect(text).toMatch(/^(?:event: |data: )/);
    expect(text).toContain("export default 1;");
  });

  it("refuses names of tools as the real API does", async () => {
    model.takeRequests();
    const response = await post(api.path, api.first("codemode.run"));
    expect(response.status).toBe(api.refusesDots ? 400 : 200);
    const [request] = model.takeRequests();
    expect(request?.refusedName).toBe(api.refusesDots ? "codemode.run" : undefined);
  });
});

describe("a client that shows codemode's tool only after a search", () => {
  const prompt = PROMPT;
  const finder = { name: "tool_search", description: "" };

  it("gets one search, and then the call", () => {
    expect(decide({ prompt, tools: [finder], answers: [] }, SCRIPTS)).toMatchObject({ call: "tool_search" });
    const answers = [{ tool: "tool_search", text: '{"name":"mcp__codemode__codemode_run"}', images: 0 }];
    expect(decide({ prompt, tools: [finder], answers }, SCRIPTS)).toMatchObject({
      call: "mcp__codemode__codemode_run",
      input: { code: "export default 1;" },
    });
  });

  it("gets the call through a tool for that, where the client has one", () => {
    const tools = [finder, { name: "tool_call", description: "" }];
    const answers = [{ tool: "tool_search", text: '{"name":"mcp__codemode__codemode_run"}', images: 0 }];
    expect(decide({ prompt, tools, answers }, SCRIPTS)).toMatchObject({
      call: "tool_call",
      input: { name: "mcp__codemode__codemode_run", arguments: { code: "export default 1;" } },
    });
  });

  it("is not asked twice where the search found nothing", () => {
    const answers = [{ tool: "tool_search", text: "nothing", images: 0 }];
    expect(decide({ prompt, tools: [finder], answers }, SCRIPTS)).toEqual({
      text: "codemode is not among the 1 tools.",
    });
  });
});

const CONTINUES = '{"runId":"r-1","diagnostics":[{"code":"RUN_CONTINUES"}]}';

it.each([CONTINUES, JSON.stringify([{ type: "text", text: CONTINUES }])])(
  "waits for a run that goes on, also where its client gives JSON in a string: %s",
  (text) => {
    const scripts = new Map([["call", [{ script: "export default 1;" }, { waits: true } as const]]]);
    const request = {
      prompt: PROMPT,
      tools: [tool("codemode_run")],
      answers: [{ tool: "codemode_run", text, images: 0 }],
    };
    expect(decide(request, scripts)).toMatchObject({ call: "codemode_run", input: { runId: "r-1" } });
  },
);

it("asks for the run that its prompt names, until that has ended", () => {
  const scripts = new Map([["go-on", Array.from({ length: 5 }, () => ({ waits: true }) as const)]]);
  const request = {
    prompt: 'Follow the script: go-on, with "runId": "r-2"',
    tools: [tool("codemode_run")],
    answers: [] as { tool: string; text: string; images: number }[],
  };
  expect(decide(request, scripts)).toMatchObject({ call: "codemode_run", input: { runId: "r-2" } });
  // The answer of a durable run has its id, too.
  request.answers.push({ tool: "codemode_run", text: '{"runId":"r-2","result":42}', images: 0 });
  expect(decide(request, scripts)).toEqual({ text: "The script has ended." });
});

function post(path: string, body: object): Promise<Response> {
  return fetch(`${model.url}${path}`, { method: "POST", body: JSON.stringify(body) });
}

async function send(path: string, body: object): Promise<string> {
  const response = await post(path, body);
  expect(response.status).toBe(200);
  // A stream or an API may have the script as a text within JSON.
  return (await response.text()).replaceAll('\\"', '"');
}
