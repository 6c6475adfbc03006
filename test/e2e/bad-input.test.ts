import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
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
    cause: /codemode\.config\.json is not valid JSON/,
    hint: /syntax/,
  },
  "an unknown key": {
    files: config({}, { limit: {} }),
    args: ["lock"],
    code: 2,
    cause: /unknown key "limit"/,
    hint: /Did you mean "limits"\?/,
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
    cause: /Server "a": .*codemode-no-such-command/,
    hint: /./,
  },
  "a server that exits": {
    files: failing("console.error('out of luck'); process.exit(7)"),
    args: ["lock"],
    code: 1,
    cause: /Server "broken": .*7.*out of luck/,
    hint: /./,
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
    hint: /--help/,
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
    const finished = await runCodemode(args, { cwd: await makeProject(files) });
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
  await runCodemode(["lock"], { cwd });
  const child = spawn(process.execPath, [resolve("dist/cli/main.js"), "tools"], { cwd });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdout.destroy();
  expect(await new Promise((settle) => child.once("close", settle))).toBe(0);
  expect(stderr).toBe("");
});

test("without a command, the help goes to standard output", async () => {
  const cwd = await makeProject({});
  const help = await runCodemode(["--help"], { cwd });
  expect(await runCodemode([], { cwd })).toEqual(help);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toMatch(/Commands:\n {2}init /);
});
