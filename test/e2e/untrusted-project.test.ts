import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { COMMANDS } from "../../cli/commands.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { connectLegacy as connectHttp } from "../serve/http/start-http.ts";
import { type HostileProject, makeHostileProject } from "./hostile-project.ts";
import { typeCommand } from "./open-commands.ts";
import { runCodemode } from "./run-codemode.ts";
import { connectLegacy, connectModern } from "./serve-clients.ts";
import { serveOverHttp } from "./serve-over-http.ts";

/** What a command does in a folder that this account has not trusted: `refuses` what it was asked to start, or has `nothing` to start. */
interface Expectation {
  args: readonly string[];
  locked: "refuses" | "nothing";
  unlocked: "refuses" | "nothing";
}

const starts = (...args: string[]): Expectation => ({ args, locked: "refuses", unlocked: "refuses" });
const startsToLock = (...args: string[]): Expectation => ({ args, locked: "nothing", unlocked: "refuses" });
const startsNothing = (...args: string[]): Expectation => ({ args, locked: "nothing", unlocked: "nothing" });

/** Every command has its line here; `serve` and `ui`, which stay, have tests of their own below. */
const EXPECTATIONS: Record<string, Expectation[]> = {
  try: [startsNothing("try")],
  init: [startsNothing("init")],
  add: [startsNothing("add", "memory", "--", "true")],
  trust: [startsNothing("trust", "--list"), startsNothing("trust", "--revoke")],
  lock: [starts("lock"), starts("lock", "memory", "--check"), starts("lock", "far")],
  diff: [starts("diff")],
  generate: [startsToLock("generate"), starts("generate", "--update"), startsNothing("generate", "--check")],
  types: [startsNothing("types")],
  tools: [startsNothing("tools")],
  search: [startsNothing("search", "graph")],
  call: [starts("call", "memory/read_graph")],
  run: [
    starts("run", "uses.ts"),
    starts("run", "saved", "--dry-run", "--json"),
    starts("run", "--eval", 'export default (await import("@codemode/servers/memory")).read_graph.name'),
  ],
  runs: [startsNothing("runs")],
  replay: [startsNothing("replay", "no-recording")],
  check: [startsNothing("check", "uses.ts")],
  approvals: [startsNothing("approvals")],
  bundle: [startsToLock("bundle", "uses.ts", "-o", "out.json"), startsNothing("bundle", "pure.ts", "-o", "pure.json")],
  pack: [startsToLock("pack")],
  login: [starts("login", "far")],
  logout: [startsNothing("logout", "far")],
  doctor: [startsNothing("doctor", "memory")],
  serve: [],
  ui: [],
  install: [startsNothing("install", "claude-code", "--print")],
  learn: [startsNothing("learn"), startsNothing("learn", "--call", "--dry-run")],
  uninstall: [startsNothing("uninstall", "claude-code")],
  completion: [startsNothing("completion", "bash")],
  remove: [startsNothing("remove", "far")],
};

test("every command is known to start nothing unasked", () => {
  expect(Object.keys(EXPECTATIONS).toSorted()).toEqual(
    COMMANDS.map(({ usage }) => usage.split(" ")[0] as string).toSorted(),
  );
});

for (const isLocked of [true, false]) {
  const state = isLocked ? "with a lockfile" : "without a lockfile";
  test(
    `${state}, no command starts a program, reaches an address or writes elsewhere`,
    { timeout: 120_000 },
    async () => {
      const project = await makeHostileProject({ isLocked });
      const { cwd, env } = project;
      const all = Object.values(EXPECTATIONS).flat();
      // What starts nothing beside a lockfile has less to start without one.
      for (const { args, ...expected } of isLocked ? all : all.filter(({ unlocked }) => unlocked === "refuses")) {
        const { code, stderr } = await typeCommand(args, { cwd, env });
        expect(project.started(), args.join(" ")).toEqual([]);
        if (expected[isLocked ? "locked" : "unlocked"] !== "refuses") continue;
        expect(stderr, args.join(" ")).toContain("error: This project is not trusted on this account");
        expect(code, args.join(" ")).toBe(2);
      }
      // Neither does a project whose page is not open.
      await expectUiToWait(project);
    },
  );
  test(`${state}, a script that uses no server runs`, async () => {
    const { cwd, env, started } = await makeHostileProject({ isLocked });
    await writeConfigWithoutAudit(cwd);
    expect(await typeCommand(["run", "pure.ts"], { cwd, env })).toMatchObject({ code: 0, stdout: "42\n" });
    await writeFile(join(cwd, "numbers.jsonl"), "1\n2\n");
    const batch = await typeCommand(["run", "pure.ts", "--inputs", "numbers.jsonl"], { cwd, env });
    expect(batch.stdout.trim().split("\n")).toHaveLength(2);
    expect(started()).toEqual([]);
  });
}

/** Its page is there, and ends by itself only where the project could not be prepared. */
async function expectUiToWait({ cwd, env, started }: HostileProject): Promise<void> {
  const { stderr } = await runCodemode(["ui", "--no-open"], { cwd, env });
  expect(stderr).toContain("This project is not trusted on this account");
  expect(started()).toEqual([]);
}

async function writeConfigWithoutAudit(cwd: string): Promise<void> {
  const file = join(cwd, "codemode.config.json");
  const { audit: _, ...config } = JSON.parse(await readFile(file, "utf8")) as { audit: unknown };
  await writeFile(file, JSON.stringify(config));
}

test("the refusal names programs, addresses and variables, and neither an argument nor a value", async () => {
  const { cwd, env } = await makeHostileProject({ isLocked: true });
  const { stderr } = await typeCommand(["run", "uses.ts"], { cwd, env });
  expect(stderr).toMatch(
    /memory \(.*node, gets MY_TOKEN\), far \(http:\/\/127\.0\.0\.1:\d+\/mcp, gets MY_TOKEN\), audit \(writes /,
  );
  expect(stderr).toContain("codemode trust");
  expect(stderr).not.toMatch(/hostile\.mjs|secret/);
});

test("`codemode trust` shows everything, records it for this account alone, and asks again for what has changed", async () => {
  const { cwd, env, started } = await makeHostileProject({ isLocked: true });
  const listed = await typeCommand(["trust", "--list"], { cwd, env });
  expect(listed.stdout).toMatch(
    /^Not trusted yet:\n {2}memory: .*node hostile\.mjs; gets MY_TOKEN; sets TAKEN\n {2}far: /,
  );
  expect(await typeCommand(["trust"], { cwd, env })).toMatchObject({ code: 0 });

  const [record] = await readdir(join(env["XDG_STATE_HOME"] as string, "codemode", "trust"));
  const file = join(env["XDG_STATE_HOME"] as string, "codemode", "trust", record as string);
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
  expect(await readFile(file, "utf8")).not.toMatch(/hostile\.mjs|MY_TOKEN|secret/);

  expect(await typeCommand(["run", "uses.ts"], { cwd, env })).toMatchObject({ code: 0 });
  expect(started()).toEqual(["a program", "a file elsewhere"]);
  expect((await typeCommand(["trust", "--list"], { cwd, env })).stdout).toMatch(/^Trusted:\n/);

  const config = join(cwd, "codemode.config.json");
  const text = await readFile(config, "utf8");
  await writeFile(config, text.replace('"hostile.mjs"', '"hostile.mjs","--more"'));
  const changed = await typeCommand(["run", "uses.ts"], { cwd, env });
  expect(changed).toMatchObject({ code: 2 });
  expect(changed.stderr).toMatch(/started: memory \([^)]*\)\.\n/);

  await writeFile(config, text);
  expect(await typeCommand(["run", "uses.ts"], { cwd, env })).toMatchObject({ code: 0 });
  await typeCommand(["trust", "--revoke"], { cwd, env });
  expect(await typeCommand(["run", "uses.ts"], { cwd, env })).toMatchObject({ code: 2 });
});

test("a terminal is asked once; then the command goes on, and the next one is not asked", async () => {
  const { cwd, env, started } = await makeHostileProject({ isLocked: true });
  const terminal = "process.stdin.isTTY = process.stderr.isTTY = true;";
  const asked = { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(terminal)}` };
  const refused = await runCodemode(["run", "uses.ts"], { cwd, env: asked, stdin: "n\n" });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("Trust it from now on?") });
  expect(started()).toEqual([]);
  const agreed = await runCodemode(["run", "uses.ts"], { cwd, env: asked, stdin: "y\n" });
  expect(agreed).toMatchObject({ code: 0, stderr: expect.stringContaining("Trust it from now on?") });
  expect(started()).toContain("a program");
  const again = await runCodemode(["run", "uses.ts"], { cwd, env: asked });
  expect(again).toMatchObject({ code: 0, stderr: expect.not.stringContaining("Trust") });
});

test("--trust and CODEMODE_TRUST=1 are for one command", async () => {
  const { cwd, env } = await makeHostileProject({ isLocked: true });
  expect(await typeCommand(["run", "uses.ts", "--trust"], { cwd, env })).toMatchObject({ code: 0 });
  const once = { ...env, CODEMODE_TRUST: "1" };
  expect(await typeCommand(["run", "uses.ts"], { cwd, env: once })).toMatchObject({ code: 0 });
  expect(await typeCommand(["run", "uses.ts"], { cwd, env })).toMatchObject({ code: 2 });
});

test("`add` trusts the server that the user names, and no other", async () => {
  const { cwd, env, started } = await makeHostileProject({ isLocked: false });
  const server = ["--", process.execPath, join(process.cwd(), "test/servers/stand-in.mjs"), "everything"];
  expect(await typeCommand(["add", "mine", ...server], { cwd, env })).toMatchObject({ code: 0 });
  expect(await typeCommand(["lock", "mine"], { cwd, env })).toMatchObject({ code: 0 });
  expect(await typeCommand(["lock"], { cwd, env })).toMatchObject({ code: 2 });
  expect(started()).toEqual([]);
});

test("`init` trusts what stood in the user's own files, and not what lay in the folder", async () => {
  const { cwd, env } = await makeHostileProject({ isLocked: false });
  const folder = join(cwd, "fresh");
  const home = join(cwd, "home");
  const entry = (word: string) => ({ mcpServers: { [word]: { command: process.execPath, args: [word] } } });
  for (const each of [folder, join(home, ".cursor")]) await mkdir(each, { recursive: true });
  await writeFile(join(folder, ".mcp.json"), JSON.stringify(entry("theirs")));
  await writeFile(join(home, ".cursor", "mcp.json"), JSON.stringify(entry("own")));
  expect(
    await typeCommand(["init"], { cwd: folder, env: { ...env, HOME: home, XDG_CONFIG_HOME: home } }),
  ).toMatchObject({
    code: 0,
  });
  const { stdout } = await typeCommand(["trust", "--list"], { cwd: folder, env });
  expect(stdout).toMatch(/^Trusted:\n {2}own: .*\nNot trusted yet:\n {2}theirs: .*\n$/);
});

const CODE =
  'import { delete_entities } from "@codemode/servers/memory";\nexport default await delete_entities({ entityNames: [] });';

test("`serve` describes the tools, starts nothing, and answers each run with what to do", async () => {
  const { cwd, env, started } = await makeHostileProject({ isLocked: true });
  await writeConfigWithoutAudit(cwd);
  const client = await connectLegacy(cwd, [], {}, env);
  const { tools } = await client.listTools();
  expect(tools[0]?.description).toContain("read_graph");
  const request = { code: CODE, requestedCapabilities: ["memory", "far"] };
  const result = await client.callTool({ name: "codemode.run", arguments: request });
  const { diagnostics } = result.structuredContent as unknown as RunAnswer;
  expect(diagnostics[0]).toEqual({
    severity: "error",
    code: "PROJECT_UNTRUSTED",
    message: "The user has not yet trusted this project, so its servers were not started: memory.",
    hint: "Tell the user to run `codemode trust` once in the project folder, then run the script again.",
  });
  expect(started()).toEqual([]);
  // No restart is needed.
  await typeCommand(["trust"], { cwd, env });
  const again = await client.callTool({ name: "codemode.run", arguments: { code: CODE } });
  expect(again.structuredContent).toMatchObject({ diagnostics: [] });
});

test.each([
  ["accept", "legacy"],
  ["decline", "modern"],
] as const)("`serve` asks with the client's form: %s (%s)", async (action, era) => {
  const { cwd, env, started } = await makeHostileProject({ isLocked: true });
  await writeConfigWithoutAudit(cwd);
  const shown: string[] = [];
  const decide = ({ params }: { params: { message: string } }) => {
    shown.push(started().length === 0 ? params.message : "started before");
    return action === "accept" ? { action, content: { approve: "Allow" } } : { action };
  };
  const run = { name: "codemode.run", arguments: { code: CODE } };
  const capabilities = { elicitation: {} };
  const client = await (era === "legacy" ? connectLegacy : connectModern)(cwd, [], { capabilities }, env);
  if (client instanceof ModernClient) client.setRequestHandler("elicitation/create", decide);
  else client.setRequestHandler(ElicitRequestSchema, decide);
  const result = await client.callTool(run);
  await client.callTool(run);
  expect(shown[0]).toMatch(/memory: .*node hostile\.mjs; gets MY_TOKEN; sets TAKEN\n {2}far: /);
  const codes = (result.structuredContent as unknown as RunAnswer).diagnostics.map(({ code }) => code);
  if (action === "accept") {
    expect([codes, shown.length, started()]).toEqual([[], 1, expect.arrayContaining(["a program"])]);
  } else {
    expect([codes, shown.length, started()]).toEqual([["PROJECT_UNTRUSTED"], 2, []]);
  }
});

test("over HTTP the agent's client is not asked, and the log says what to do", async () => {
  const { cwd, env, started } = await makeHostileProject({ isLocked: true });
  await writeConfigWithoutAudit(cwd);
  const { url, lines } = await serveOverHttp(cwd, env);
  const client = await connectHttp(url);
  const shown: unknown[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    shown.push(params.message);
    return { action: "accept", content: { approve: "Allow" } };
  });
  const { structuredContent } = await client.callTool({ name: "codemode.run", arguments: { code: CODE } });
  expect(structuredContent).toMatchObject({ diagnostics: [{ code: "PROJECT_UNTRUSTED" }] });
  expect([shown, started()]).toEqual([[], []]);
  expect(lines.join("\n")).toContain("This project is not trusted on this account");
});

test("`serve` without a lockfile ends with what to do", async () => {
  const { cwd, env, started } = await makeHostileProject({ isLocked: false });
  const { code, stderr } = await runCodemode(["serve"], { cwd, env, stdin: "" });
  expect(code).toBe(2);
  expect(stderr).toContain("codemode trust");
  expect(started()).toEqual([]);
});

test("a variable that is not set is named by `run` and `call` before anything starts", async () => {
  const { cwd, started } = await makeHostileProject({ isLocked: true });
  const config = join(cwd, "codemode.config.json");
  await writeFile(config, (await readFile(config, "utf8")).replace("${MY_TOKEN:-none}", "${UNSET_FOR_TEST}"));
  await writeConfigWithoutAudit(cwd);
  for (const args of [
    ["run", "uses.ts"],
    ["run", "uses.ts", "--json"],
    ["call", "memory/read_graph"],
  ]) {
    expect(await typeCommand(args, { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'error: Server "memory" needs the environment variable UNSET_FOR_TEST, which is not set.\n' +
        'hint: Set UNSET_FOR_TEST, write it into a file that "envFile" of the server names, or add a default: ${UNSET_FOR_TEST:-value}.\n',
    });
  }
  expect(started()).toEqual([]);
});
