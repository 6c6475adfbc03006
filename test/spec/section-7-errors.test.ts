import { afterAll, describe, expect, test } from "vitest";
import { type MisbehavingHttp, startMisbehavingHttp } from "../servers/misbehaving-http.mjs";
import { serveProject, text } from "./serve-project.ts";

let remote: MisbehavingHttp;
afterAll(() => remote.close());

const { client, run, resultOf } = serveProject(async () => {
  remote = await startMisbehavingHttp();
  remote.tools = [{ name: "status", inputSchema: { type: "object" } }];
  return {
    servers: {
      bank: [
        {
          name: "send-money",
          inputSchema: {
            type: "object",
            properties: { to: { type: "object", properties: { "a/b": { type: "number" } } }, sum: { type: "number" } },
            required: ["sum"],
          },
        },
        { name: "refuse", inputSchema: {}, "x-answer": { ...text("The account is closed."), isError: true } },
        { name: "break", inputSchema: {}, "x-error": { code: -32000, message: "broken" } },
        { name: "tick", inputSchema: {}, "x-count": true },
      ],
    },
    config: { mcpServers: { remote: { type: "http", url: remote.url } } },
  };
});

/** What a script can see of the error that an expression throws. */
const caught = (expression: string): Promise<unknown> =>
  resultOf(`import * as errors from "@codemode/errors";
import * as discovery from "@codemode/discovery";
import * as bank from "@codemode/servers/bank";
import { status } from "@codemode/servers/remote";
const own = { bank, status, discovery };
const error = await (async () => ${expression})().catch((error) => error);
export default { ...error, name: error.name, message: error.message, hint: error.hint,
  isBased: error instanceof errors.CodemodeError, isClass: error instanceof errors[error.name], isOwn: typeof own };`);

const CLASSES = [
  "SchemaValidationError",
  "ToolNotFoundError",
  "ServerNotFoundError",
  "ToolCallError",
  "AuthenticationError",
  "SandboxLimitError",
];

test("there are six classes, with one base [7.1/classes] [7.1/base]", async () => {
  const code = `import * as errors from "@codemode/errors";
export default ${JSON.stringify(CLASSES)}.map((name) => errors[name].prototype instanceof errors.CodemodeError && errors.CodemodeError.prototype instanceof Error);`;
  expect(await resultOf(code)).toEqual(CLASSES.map(() => true));
});

describe("an error has a class, a message and one hint [7/structured] [7.3/hint]", () => {
  test.each([
    [
      "for a tool that there is not [7.1/tool-not-found]",
      'discovery.getTool("bank", "steal")',
      "ToolNotFoundError",
      "steal",
    ],
    [
      "for a server that there is not [7.1/server-not-found]",
      'discovery.listTools("casino")',
      "ServerNotFoundError",
      "casino",
    ],
    ["for a tool that reports one [7.1/tool-call]", "bank.refuse()", "ToolCallError", "The account is closed."],
    ["for a server that reports one [7.1/tool-call]", "bank.break_()", "ToolCallError", "broken"],
    ["for refused credentials [7.1/authentication]", "status({ status: 401 })", "AuthenticationError", "credentials"],
  ])("%s", async (_name, expression, errorClass, message) => {
    expect(await caught(expression)).toMatchObject({
      name: errorClass,
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\w+ \w+/),
      isBased: true,
      isClass: true,
    });
  });

  test("for a limit, which ends the script, it is in the diagnostics [7.1/limit] [7.4/limit-error] [7.4/logs]", async () => {
    const answer = await run('console.log("before"); for (;;);', { limits: { timeoutMs: 400 } });
    expect(answer).toMatchObject({
      logs: [{ message: "before" }],
      result: null,
      diagnostics: [{ errorClass: "SandboxLimitError", code: "SANDBOX_LIMIT", hint: expect.stringMatching(/\w+ \w+/) }],
    });
  });

  test("for too many calls it is thrown or ends the script, with what was logged [7.4/limit-error]", async () => {
    const code = `import { send_money } from "@codemode/servers/bank";
for (let i = 0; i < 9; i += 1) { await send_money({ sum: i }); console.log(i); }`;
    const { logs, diagnostics } = await run(code, { limits: { maxToolCalls: 3 } });
    expect(logs.map(({ message }) => message)).toEqual(["0", "1", "2"]);
    expect(diagnostics).toMatchObject([
      { errorClass: "SandboxLimitError", message: expect.stringContaining("maxToolCalls") },
    ]);
  });
});

describe("an input that does not fit", () => {
  test("names tool, export, place, what was expected and what came [7.2/tool-name] [7.2/export-name] [7.2/pointer] [7.2/expected]", async () => {
    expect(await caught('bank.send_money({ sum: 1, to: { "a/b": "x" } })')).toMatchObject({
      name: "SchemaValidationError",
      toolName: "send-money",
      exportName: "send_money",
      pointer: "/to/a~1b",
      expected: expect.stringContaining("number"),
      received: expect.stringContaining("x"),
      hint: expect.stringMatching(/\w+ \w+/),
      isBased: true,
    });
  });

  test("is never sent", async () => {
    const { toolTrace } = await run(
      'import { send_money } from "@codemode/servers/bank"; await send_money({ sum: "1" });',
    );
    expect((toolTrace ?? []).filter(({ ok }) => ok)).toEqual([]);
  });
});

test("a client that cancels ends the script [7.4/terminate]", async () => {
  const cancellation = new AbortController();
  const code = `import { tick } from "@codemode/servers/bank";
// Slow enough to be under way when it is cancelled.
for (;;) {
  await tick();
  await new Promise((resolve) => setTimeout(resolve, 10));
}`;
  const ticking = client().callTool(
    { name: "codemode.run", arguments: { code, limits: { maxToolCalls: 1e6 } } },
    undefined,
    {
      signal: cancellation.signal,
    },
  );
  setTimeout(() => cancellation.abort(), 500);
  await expect(ticking).rejects.toThrow();
  // The disconnected client makes no further calls.
  const between = `import { tick } from "@codemode/servers/bank";
const before = Number(await tick());
// sleeps: a call of the client that has gone would come in this time
await new Promise((resolve) => setTimeout(resolve, 300));
export default Number(await tick()) - before;`;
  await expect.poll(() => resultOf(between), { timeout: 10_000 }).toBe(1);
});
