import { describe, expect, test } from "vitest";
import { serveProject, text } from "./serve-project.ts";

const { client, run, resultOf } = serveProject(() => ({
  servers: {
    users: [
      { name: "find", inputSchema: {}, "x-answer": { content: [], structuredContent: { mail: "a@example.org" } } },
      { name: "fail", inputSchema: {}, "x-answer": { ...text("No such user."), isError: true } },
    ],
    flaky: [{ name: "crash", inputSchema: {}, "x-exit": true }],
    mail: [{ name: "send", inputSchema: { type: "object" } }],
  },
}));

test("one script imports several servers and gives the result of one to the other [10/many-servers] [10/compose]", async () => {
  const code = `import { find } from "@codemode/servers/users";
import * as mail from "@codemode/servers/mail";
const { mail: to } = await find();
export default await mail.send({ to });`;
  expect(await resultOf(code)).toBe('send {"to":"a@example.org"}');
});

describe("a failure", () => {
  test.each([
    ["of a tool", "fail", "users"],
    ["of a whole server", "crash", "flaky"],
  ])(
    "%s is a ToolCallError that a script catches, and then it goes on [10/tool-call-error] [10/no-abort]",
    async (_name, tool, server) => {
      const code = `import { ToolCallError } from "@codemode/errors";
import { ${tool} } from "@codemode/servers/${server}";
import { find } from "@codemode/servers/users";
const caught = await ${tool}().catch((error) => error);
export default [caught instanceof ToolCallError, await find()];`;
      expect((await run(code)).result).toEqual([true, { mail: "a@example.org" }]);
    },
  );

  test("that is not caught ends the script as any exception does [10/tool-call-error]", async () => {
    expect(await run('import { fail } from "@codemode/servers/users"; await fail();')).toMatchObject({
      result: null,
      diagnostics: [{ code: "UNCAUGHT_EXCEPTION", errorClass: "ToolCallError" }],
    });
  });
});

test("calls run concurrently, and the instructions say so [10.1/concurrency]", async () => {
  const code = `import { find } from "@codemode/servers/users";
import { send } from "@codemode/servers/mail";
export default await Promise.all([send({ n: 1 }), find(), send({ n: 2 })]);`;
  expect(await resultOf(code)).toEqual(['send {"n":1}', { mail: "a@example.org" }, 'send {"n":2}']);
  expect(client().getInstructions()).toContain("Promise.all");
});
