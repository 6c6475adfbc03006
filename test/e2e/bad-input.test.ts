import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { makeProject, runCodemode, STAND_INS } from "./run-codemode.ts";

const { everything } = STAND_INS;
const ABSENT = { command: "no-such-program" };
const BROKEN = { command: process.execPath, args: ["-e", "console.error('out of luck'); process.exit(7)"] };
const UNSET = { command: "node", env: { TOKEN: "${NO_SUCH_NAME}" } };

async function expectMistake(line: string, mcpServers: unknown, code: number, said: RegExp): Promise<void> {
  const config = mcpServers === undefined ? {} : { "codemode.config.json": { mcpServers } };
  const finished = await typeCommand(line.split(" "), { cwd: await makeProject(config) });
  expect(finished).toEqual({ code, stdout: "", stderr: expect.stringMatching(said) });
  expect(finished.stderr).toMatch(/^error: .*\nhint: .*\n$/);
}

/** What is wrong with words alone, before a command begins: `test/cli/command-line.test.ts`; with a file: `test/engine/load-config.test.ts`. */
test.each<[line: string, mcpServers: unknown, code: number, said: RegExp]>([
  ["lock", undefined, 2, /No configuration found.*\nhint: .*codemode\.config\.json/],
  ["lock --config no.json", {}, 2, /Cannot access .*no\.json: ENOENT\nhint: .*path/],
  ["lock", { policy: {} }, 2, /"policy" is a key of the configuration, .* "mcpServers".*\nhint: Move it out of/],
  ["lock", { a: { command: "x", arg: [] } }, 2, /unknown key "arg" in "\/mcpServers\/a".*\nhint: .*"args"\?/],
  ["lock", { a: { args: [] } }, 2, /"\/mcpServers\/a" is neither a stdio server nor a remote .*\nhint: .*"command"/],
  ["lock", { a: UNSET }, 2, /"a" needs the environment variable NO_SUCH_NAME.*\nhint: .*\$\{NO_SUCH_NAME:-value\}/],
  ["lock", { a: ABSENT }, 1, /"a" cannot be started: no command "no-such-program" was found\.\nhint: Install/],
  ["lock", { a: BROKEN }, 1, /"a" exited with code 7 .*out of luck\.\nhint: Run its command by itself/],
  ["lock everythin", { everything }, 2, /No server "everythin".*\nhint: .*everything/],
  ["run --eval 1 --timeout soon", {}, 2, /--timeout: "soon" is not a whole number .*\nhint: .*codemode run --help/],
  ["run --eval 1 --input {limit:5}", {}, 2, /--input: it is not JSON.*\nhint: .*'\{"limit": 5\}'/],
  ["run nope.ts", {}, 2, /Cannot access .*nope\.ts: ENOENT\nhint: .*path/],
  ["add everything -- node", { everything }, 2, /"everything" is already configured.*\n.*`codemode remove everything`/],
  ["login everything --trust", { everything }, 2, /only remote servers have a login.*\nhint: .*"env"/],
])("%s with the servers %j: a line of cause, a line of hint", expectMistake);

test.each([
  ["broken JSON", '{"mcpServers": {', /json:1:17 is not valid JSON: .*\nhint: .*syntax/],
  ["an unknown key", { mcpServers: {}, limit: {} }, /unknown key "limit".*\nhint: Did you mean "limits"\?/],
])("a configuration with %s: a line of cause, a line of hint", async (_, content, said) => {
  const { stderr, ...rest } = await typeCommand(["lock"], {
    cwd: await makeProject({ "codemode.config.json": content }),
  });
  expect(rest).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(said);
  expect(stderr).toMatch(/^error: .*\nhint: .*\n$/);
});

const EMPTY = { "codemode.config.json": { mcpServers: {} } };

test("a reader that closes the pipe early is no mistake", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { everything: STAND_INS.everything } } });
  await typeCommand(["lock"], { cwd });
  const child = spawn(process.execPath, [resolve("dist/cli/main.js"), "tools"], { cwd });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdout.destroy();
  expect(await new Promise((settle) => child.once("close", settle))).toBe(0);
  // What the list costs is said on standard error, which the reader has left open.
  expect(stderr.replace(/^An agent's context: .*\n/, "")).toBe("");
});

test("without a command, the help goes to standard output", async () => {
  const cwd = await makeProject({});
  const help = await runCodemode(["--help"], { cwd });
  expect(await runCodemode([], { cwd })).toEqual(help);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toMatch(/Commands:\n {2}init /);
});

test("a configuration without servers is no mistake, and says how to add one", async () => {
  const finished = await typeCommand(["lock"], { cwd: await makeProject(EMPTY) });
  expect(finished).toMatchObject({ code: 0, stdout: "" });
  expect(finished.stderr).toMatch(/no servers\. Add one with `codemode add NAME -- COMMAND`/);
});

test("a script that fails prints no result, and one that sets none gets a hint", async () => {
  const cwd = await makeProject(EMPTY);
  const run = (code: string) => typeCommand(["run", "--eval", code], { cwd });
  expect(await run("throw new Error('no');")).toMatchObject({ code: 1, stdout: "" });
  expect(await run("console.log('hello');")).toMatchObject({
    ...{ code: 0, stdout: "null\n" },
    stderr: expect.stringMatching(/^hello\n(?:.*\n)*info: RESULT_MISSING: .*\nhint: .*export default VALUE/) as string,
  });
  expect(await run("export default null;")).toMatchObject({
    code: 0,
    stdout: "null\n",
    stderr: expect.not.stringContaining("RESULT_MISSING") as string,
  });
});
