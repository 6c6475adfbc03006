import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCodemode, SERVERS } from "../e2e/run-codemode.ts";
import { generatedProject, runForJson, testServer } from "./plain-node.ts";

/** Structured content, and blocks that say something else. */
const MEASURED = {
  content: [
    { type: "text", text: "measured" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
  ],
  structuredContent: { height: 3 },
};

/** Calls that are made one after the other, in a script. */
const CALLS = [
  "get_sum({ a: 1, b: 2 })",
  "get_sum({ a: 1, bee: 2 })",
  "get_sum({ a: 1n, b: 2 })",
  'read_text_file({ path: "no-such-file" })',
  'read_text_file({ path: "../../etc/passwd" })',
  'list_directory({ path: "." }).then(({ content }) => content.includes("notes.txt"))',
  "odd.raw()",
  'odd.return_({ content: [{ type: "text", text: "a" }, { type: "text", text: "b" }] })',
  "odd.return_({ content: [], structuredContent: null })",
  "odd.return_({ content: [], isError: true })",
  'odd.return_({ content: [{ type: "text", text: "why" }, { type: "image" }, { type: "text", text: "not" }], isError: true })',
  `odd.return_(${JSON.stringify(MEASURED)}).then((result) => [result, contentOf(result), contentOf({ ...result })])`,
  `odd.return_({ content: [{ type: "text", text: '{"n":1}' }], structuredContent: { n: 1 } }).then(contentOf)`,
  "odd.rpc_error()",
  "odd.odd_error()",
  "odd.bare_answer()",
  "odd.batch()",
  "odd.no_result()",
];

/** A server that does not answer in time, ends, or is not there; of an answer that is too long `misbehaving-servers.test.ts` says it. */
const CALLS_THAT_END_A_SERVER = ["hang()", "odd.crash()", "odd.echo({ again: true })", "echo()"];

/** What calls came to, each with all that a script can see of it; the default export is the result of a run. */
const scriptOf = (calls: readonly string[]) => `
  import { get_sum } from "@codemode/servers/everything";
  import { list_directory, read_text_file } from "@codemode/servers/filesystem";
  import * as odd from "@codemode/servers/odd";
  import { echo } from "@codemode/servers/away";
  import { hang } from "@codemode/servers/hasty";
  import { AuthenticationError, CodemodeError, SchemaValidationError, ServerNotFoundError, ToolCallError } from "@codemode/errors";
  import { contentOf } from "@codemode/results";

  const classes = { AuthenticationError, CodemodeError, SchemaValidationError, ServerNotFoundError, ToolCallError };
  const outcomes = [];
  for (const call of [${calls.map((call) => `() => ${call}`).join(", ")}]) {
    try {
      outcomes.push({ value: await call() });
    } catch (error) {
      const { name, message, ...fields } = error;
      const isA = Object.keys(classes).filter((name) => error instanceof classes[name]);
      const { cause, ...shown } = fields;
      outcomes.push({ name, message, shown, isA });
    }
  }
  export default outcomes;`;

interface Outcome {
  name?: string;
  value?: unknown;
  isA?: string[];
}

/** What the calls come to in the sandbox, after they have come to the same in plain Node. */
async function outcomesOf(calls: readonly string[]): Promise<Outcome[]> {
  const odd = testServer("misbehaving-server.mjs", "all-calls");
  const hasty = { ...odd, timeoutMs: 3_000 };
  const mcpServers = { everything: SERVERS.everything, filesystem: SERVERS.filesystem, odd, hasty };
  const cwd = await generatedProject({ ...mcpServers, away: odd }, { "notes.txt": "x" });
  await writeFile(join(cwd, "script.mjs"), scriptOf(calls));
  // From now on one of the servers cannot be started.
  const away = { command: "no-such-command-anywhere" };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers: { ...mcpServers, away } }));

  const print = 'import("./script.mjs").then(({ default: outcomes }) => console.log(JSON.stringify(outcomes)));';
  const [{ stdout, stderr, code }, inNode] = await Promise.all([
    runCodemode(["run", "script.mjs"], { cwd }),
    runForJson(cwd, print),
  ]);
  expect(code, stderr).toBe(0);
  const inSandbox = JSON.parse(stdout) as Outcome[];
  expect(inNode).toEqual(inSandbox);
  expect(inSandbox).toHaveLength(calls.length);
  return inSandbox;
}

const classesOf = (outcomes: readonly Outcome[]) => [...new Set(outcomes.map(({ name = "value" }) => name))].toSorted();

test("calls come to the same in the sandbox and in plain Node, errors included", async () => {
  const outcomes = await outcomesOf(CALLS);
  // They agree on something: a result beside its blocks, and one that repeats them.
  const [beside, repeated] = outcomes.slice(11, 13).map(({ value }) => value);
  expect([beside, repeated]).toEqual([[MEASURED.structuredContent, MEASURED.content, []], []]);
  expect(classesOf(outcomes)).toEqual(["SchemaValidationError", "ToolCallError", "value"]);
});

test("calls that a server does not survive come to the same in the sandbox and in plain Node", async () => {
  const outcomes = await outcomesOf(CALLS_THAT_END_A_SERVER);
  expect(classesOf(outcomes)).toEqual(["ServerNotFoundError", "ToolCallError", "value"]);
  // An instance is one of its bases as well.
  expect(outcomes.at(-1)?.isA).toEqual(["CodemodeError", "ServerNotFoundError"]);
});
