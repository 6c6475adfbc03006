import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { makeProject, runCodemode, STAND_INS } from "./run-codemode.ts";

interface Mistake {
  files?: Record<string, unknown>;
  args: string[];
  code: number;
  cause: RegExp;
  hint: RegExp;
}

const config = (mcpServers: unknown, rest = {}): Record<string, unknown> => ({
  "codemode.config.json": { mcpServers, ...rest },
});
const failing = (code: string): Record<string, unknown> =>
  config({ broken: { command: process.execPath, args: ["-e", code] } });

const mistakes: Record<string, Mistake> = {
  "no configuration": { args: ["lock"], code: 2, cause: /No configuration found/, hint: /codemode\.config\.json/ },
  "a named configuration that is not there": {
    args: ["lock", "--config", "nope.json"],
    code: 2,
    cause: /Cannot access .*nope\.json: ENOENT/,
    hint: /path/,
  },
  "broken JSON": {
    files: { "codemode.config.json": '{"mcpServers": {' },
    args: ["lock"],
    code: 2,
    cause: /codemode\.config\.json:1:17 is not valid JSON: /,
    hint: /syntax/,
  },
  "an unknown key": {
    files: config({}, { limit: {} }),
    args: ["lock"],
    code: 2,
    cause: /unknown key "limit"/,
    hint: /Did you mean "limits"\?/,
  },
  "a key of the configuration among the servers": {
    files: config({ policy: { deny: ["files/*"] } }),
    args: ["lock"],
    code: 2,
    cause: /"policy" is a key of the configuration, and stands in "mcpServers"/,
    hint: /Move it out of "mcpServers"/,
  },
  "an unknown key of a server": {
    files: config({ a: { command: "x", arg: [] } }),
    args: ["lock"],
    code: 2,
    cause: /unknown key "arg" in "\/mcpServers\/a"/,
    hint: /Did you mean "args"\?/,
  },
  "a server with neither command nor url": {
    files: config({ a: { args: [] } }),
    args: ["lock"],
    code: 2,
    cause: /"\/mcpServers\/a" is neither a stdio server nor a remote one/,
    hint: /"command"/,
  },
  "a variable that is not set": {
    files: config({ a: { command: "node", env: { TOKEN: "${CODEMODE_TEST_UNSET}" } } }),
    args: ["lock"],
    code: 2,
    cause: /Server "a" needs the environment variable CODEMODE_TEST_UNSET/,
    hint: /\$\{CODEMODE_TEST_UNSET:-value\}/,
  },
  "a command that does not exist": {
    files: config({ a: { command: "codemode-no-such-command" } }),
    args: ["lock"],
    code: 1,
    cause: /Server "a" cannot be started: no command "codemode-no-such-command" was found\.$/,
    hint: /Install "codemode-no-such-command" or write its full path/,
  },
  "a server that exits": {
    files: failing("console.error('out of luck'); process.exit(7)"),
    args: ["lock"],
    code: 1,
    cause: /Server "broken" exited with code 7 .*out of luck\.$/,
    hint: /Run its command by itself/,
  },
  "an unknown server": {
    files: config({ everything: STAND_INS.everything }),
    args: ["lock", "everythin"],
    code: 2,
    cause: /No server "everythin"/,
    hint: /everything/,
  },
  "an unknown command": { args: ["frobnicate"], code: 2, cause: /Unknown command "frobnicate"/, hint: /--help/ },
  "a mistyped command": { args: ["generte"], code: 2, cause: /"generte"/, hint: /Did you mean "generate"\?/ },
  "an unknown option": { args: ["lock", "--nope"], code: 2, cause: /Unknown option --nope/, hint: /lock --help/ },
  "an option without its value": {
    args: ["run", "--timeout"],
    code: 2,
    cause: /--timeout: it needs a value/,
    hint: /--help/,
  },
  "a limit that is no number": {
    args: ["run", "--eval", "1", "--timeout", "soon"],
    code: 2,
    cause: /--timeout: "soon" is not a whole number/,
    hint: /codemode run --help/,
  },
  "a value for a switch": {
    args: ["run", "a.ts", "--approve", "files/write_file"],
    code: 2,
    cause: /--approve: it takes no value, so "files\/write_file" is one argument too many/,
    hint: /codemode run --help/,
  },
  "the command of a server without the dashes before it": {
    args: ["add", "files", "npx", "server"],
    code: 2,
    cause: /the command of a server comes after --/,
    hint: /`codemode add files -- npx …`/,
  },
  "a name that is taken": {
    files: config({ everything: STAND_INS.everything }),
    args: ["add", "everything", "--", "node"],
    code: 2,
    cause: /"everything" is already configured/,
    hint: /`codemode remove everything`/,
  },
  "an argument that is missing": {
    args: ["install"],
    code: 2,
    cause: /the client is missing/,
    hint: /codemode install --help/,
  },
  "an input that is no JSON": {
    files: config({}),
    args: ["run", "--eval", "1", "--input", "{limit:5}"],
    code: 2,
    cause: /--input: it is not JSON/,
    hint: /'\{"limit": 5\}'/,
  },
  "a login of a program": {
    files: config({ everything: STAND_INS.everything }),
    args: ["login", "everything", "--trust"],
    code: 2,
    cause: /only remote servers have a login/,
    hint: /"env"/,
  },
  "a script that is not there": {
    files: config({}),
    args: ["run", "nope.ts"],
    code: 2,
    cause: /Cannot access .*nope\.ts: ENOENT/,
    hint: /path/,
  },
};

test.each(Object.entries(mistakes))(
  "%s: a line of cause, a line of hint",
  async (_, { files = {}, args, code, cause, hint }) => {
    const finished = await typeCommand(args, { cwd: await makeProject(files) });
    const [first, second, ...rest] = finished.stderr.trimEnd().split("\n");
    expect(first).toMatch(/^error: /);
    expect(first).toMatch(cause);
    expect(second).toMatch(/^hint: /);
    expect(second).toMatch(hint);
    expect(rest).toEqual([]);
    expect(finished).toMatchObject({ code, stdout: "" });
  },
);

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
  const finished = await typeCommand(["lock"], { cwd: await makeProject(config({})) });
  expect(finished).toMatchObject({ code: 0, stdout: "" });
  expect(finished.stderr).toMatch(/no servers\. Add one with `codemode add NAME -- COMMAND`/);
});

test("a script that fails prints no result, and one that sets none gets a hint", async () => {
  const cwd = await makeProject(config({}));
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
