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

/** What calls came to, each with all that a script can see of it; the default export is the result of a run. */
const SCRIPT = `
  import { get_sum } from "@codemode/servers/everything";
  import { list_directory, read_text_file } from "@codemode/servers/filesystem";
  import * as odd from "@codemode/servers/odd";
  import { echo } from "@codemode/servers/away";
  import { hang } from "@codemode/servers/hasty";
  import { AuthenticationError, CodemodeError, SchemaValidationError, ServerNotFoundError, ToolCallError } from "@codemode/errors";
  import { contentOf } from "@codemode/results";

  const classes = { AuthenticationError, CodemodeError, SchemaValidationError, ServerNotFoundError, ToolCallError };
  const outcomes = [];
  const attempt = async (call) => {
    try {
      outcomes.push({ value: await call() });
    } catch (error) {
      const { name, message, ...fields } = error;
      const isA = Object.keys(classes).filter((name) => error instanceof classes[name]);
      const { cause, ...shown } = fields;
      outcomes.push({ name, message, shown, isA });
    }
  };

  await attempt(() => get_sum({ a: 1, b: 2 }));
  await attempt(() => get_sum({ a: 1, bee: 2 }));
  await attempt(() => get_sum({ a: 1n, b: 2 }));
  await attempt(() => read_text_file({ path: "no-such-file" }));
  await attempt(() => read_text_file({ path: "../../etc/passwd" }));
  await attempt(() => list_directory({ path: "." }).then(({ content }) => content.includes("notes.txt")));
  await attempt(() => odd.raw());
  await attempt(() => odd.return_({ content: [{ type: "text", text: "a" }, { type: "text", text: "b" }] }));
  await attempt(() => odd.return_({ content: [], structuredContent: null }));
  await attempt(() => odd.return_({ content: [], isError: true }));
  await attempt(() => odd.return_({ content: [{ type: "text", text: "why" }, { type: "image" }, { type: "text", text: "not" }], isError: true }));
  await attempt(() => odd.return_(${JSON.stringify(MEASURED)}).then((result) => [result, contentOf(result), contentOf({ ...result })]));
  await attempt(() => odd.return_({ content: [{ type: "text", text: '{"n":1}' }], structuredContent: { n: 1 } }).then(contentOf));
  await attempt(() => odd.rpc_error());
  await attempt(() => odd.odd_error());
  await attempt(() => odd.bare_answer());
  await attempt(() => odd.batch());
  await attempt(() => odd.no_result());
  await attempt(() => hang());
  await attempt(() => odd.big({ bytes: 66 * 1024 * 1024 }));
  await attempt(() => odd.crash());
  await attempt(() => odd.echo({ again: true }));
  await attempt(() => echo());
  export default outcomes;`;

test("calls come to the same in the sandbox and in plain Node, errors of each kind included", async () => {
  const odd = testServer("misbehaving-server.mjs", "all-calls");
  const hasty = { ...odd, timeoutMs: 3_000 };
  const mcpServers = { everything: SERVERS.everything, filesystem: SERVERS.filesystem, odd, hasty };
  const cwd = await generatedProject({ ...mcpServers, away: odd }, { "notes.txt": "x", "script.mjs": SCRIPT });
  // From now on one of the servers cannot be started.
  const away = { command: "no-such-command-anywhere" };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers: { ...mcpServers, away } }));

  const { stdout, stderr, code } = await runCodemode(["run", "script.mjs"], { cwd });
  expect(code, stderr).toBe(0);
  const inSandbox = JSON.parse(stdout) as { name?: string; value?: unknown; isA?: string[] }[];
  const inNode = await runForJson(
    cwd,
    'import("./script.mjs").then(({ default: outcomes }) => console.log(JSON.stringify(outcomes)));',
  );
  expect(inNode).toEqual(inSandbox);
  // They agree on something: each class has been seen, and an instance is one of its bases as well.
  expect(inSandbox).toHaveLength(23);
  const [beside, repeated] = inSandbox.slice(11, 13).map(({ value }) => value);
  expect([beside, repeated]).toEqual([[MEASURED.structuredContent, MEASURED.content, []], []]);
  const names = new Set(inSandbox.map(({ name = "value" }) => name));
  expect([...names].toSorted()).toEqual(["SchemaValidationError", "ServerNotFoundError", "ToolCallError", "value"]);
  expect(inSandbox.at(-1)?.isA).toEqual(["CodemodeError", "ServerNotFoundError"]);
});
