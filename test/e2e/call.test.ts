import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { makeProject, runCodemode } from "./run-codemode.ts";

const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const TOOLS = [
  { name: "quote", description: "Says a price.", inputSchema },
  { name: "get-price", inputSchema: { type: "object" }, "x-answer": { content: [], structuredContent: { price: 3 } } },
  {
    name: "broken",
    inputSchema: { type: "object" },
    "x-answer": { isError: true, content: [{ type: "text", text: "No\u001b[31m luck." }] },
  },
];

async function makeTrips(config = {}): Promise<string> {
  const trips = { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "tools.json"] };
  return makeProject({
    "codemode.config.json": { mcpServers: { trips }, ...config },
    "tools.json": TOOLS,
  });
}

test("the result is printed as a script would get it, or whole", async () => {
  const cwd = await makeTrips();
  const text = 'quote {"city":"Oslo"}';
  expect(await typeCommand(["call", "trips/quote", '{"city":"Oslo"}'], { cwd })).toEqual({
    code: 0,
    stdout: `${JSON.stringify(text)}\n`,
    stderr: "No lockfile yet: locking all servers.\n",
  });
  const whole = await runCodemode(["call", "trips/quote", "-", "--json"], { cwd, stdin: '{"city":"Oslo"}' });
  expect(JSON.parse(whole.stdout)).toEqual({ content: [{ type: "text", text }] });
  // By its name as the server has it or as scripts import it, and without input where none is needed.
  for (const name of ["get-price", "get_price"]) {
    const { code, stdout } = await typeCommand(["call", `trips/${name}`], { cwd });
    expect([code, JSON.parse(stdout)]).toEqual([0, { price: 3 }]);
  }
});

test.each<[what: string, args: string[], code: number, stderr: RegExp]>([
  ["input that is no JSON", ["trips/quote", "{city"], 2, /^error: .*not JSON.*\nhint: /],
  ["a server without a tool", ["trips"], 2, /SERVER\/TOOL/],
  ["a server that is not there", ["trip/quote", "{}"], 2, /No server "trip"/],
  ["a tool that is not there", ["trips/qoute", "{}"], 2, /Did you mean "quote"/],
  ["input that does not fit", ["trips/quote", '{"city":7}'], 1, /^error: .*city.*\nhint: /],
  ["input that is no object", ["trips/get-price", "[]"], 1, /object/],
  ["a tool that fails", ["trips/broken"], 1, /^error: No\\u001b\[31m luck\.\nhint: /],
])("%s is an error", async (_, args, code, stderr) => {
  const cwd = await makeTrips();
  await typeCommand(["lock"], { cwd });
  expect(await typeCommand(["call", ...args], { cwd })).toEqual({
    code,
    stdout: "",
    stderr: expect.stringMatching(stderr),
  });
});

test("with --json a refusal is a document too", async () => {
  const cwd = await makeTrips();
  const { code, stdout } = await typeCommand(["call", "trips/quote", "--json"], { cwd });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    error: { errorClass: "SchemaValidationError", hint: expect.any(String) },
  });
});

test("policy and approval hold for a call as for a script", async () => {
  const cwd = await makeTrips({ policy: { ask: ["trips/quote"], deny: ["trips/broken"] } });
  const quote = ["call", "trips/quote", '{"city":"Oslo"}'];
  expect(await typeCommand(quote, { cwd })).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/error: A call of trips\/quote needs a person's approval.*\nhint: .*--approve/),
  });
  expect(await typeCommand([...quote, "--approve"], { cwd })).toMatchObject({ code: 0 });
  expect(await typeCommand(["call", "trips/broken", "--approve"], { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The policy denies calls of trips/broken."),
  });
});

test("--frozen refuses a drifted server with exit code 3, and calls nothing", async () => {
  const cwd = await makeTrips();
  expect(await typeCommand(["call", "trips/get-price", "--frozen"], { cwd })).toMatchObject({ code: 3 });
  await typeCommand(["lock"], { cwd });
  expect(await typeCommand(["call", "trips/get-price", "--frozen"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  await writeFile(join(cwd, "tools.json"), JSON.stringify(TOOLS.slice(1)));
  const frozen = await typeCommand(["call", "trips/get-price", "--frozen"], { cwd });
  expect(frozen).toMatchObject({
    code: 3,
    stdout: "",
    stderr: expect.stringMatching(/^error: .*differs from the lockfile/),
  });
  expect(await typeCommand(["call", "trips/get-price"], { cwd })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("warning: LOCK_DRIFT"),
  });
});
