import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Finished, makeProject, runCodemode, writeFiles } from "../e2e/run-codemode.ts";
import { connectModern } from "../e2e/serve-clients.ts";
import { SCRIPTS } from "./api-scripts.ts";
import { API_TOKEN, type RunningApi, startApi, toServer } from "./start-api.ts";

const IDS = ["flags", "todo", "notes"] as const;
const env = { TOKEN: API_TOKEN };

let project: string;
let apis: RunningApi[] = [];
const recorded = new Map<string, Finished>();

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "codemode-apis-"));
  apis = await Promise.all(["unleash", "todo", "notes"].map(startApi));
}, 60_000);
beforeAll(async () => {
  const [flags, todo, notes] = apis as [RunningApi, RunningApi, RunningApi];
  const mcpServers = {
    flags: toServer(flags, "/docs/openapi.json"),
    todo: toServer(todo, "/openapi.json"),
    notes: toServer(notes, "/openapi.json", "Bearer "),
  };
  const scripts = IDS.map((id) => [`${id}.ts`, SCRIPTS[id]]);
  await writeFiles(project, { "codemode.config.json": { mcpServers }, ...Object.fromEntries(scripts) });
  const { code, stderr } = await runCodemode(["generate"], { cwd: project, env });
  expect(code, stderr).toBe(0);
  const record = (id: string) => runCodemode(["run", `${id}.ts`, "--record", `${id}.json`], { cwd: project, env });
  const runs = await Promise.all(IDS.map(record));
  IDS.forEach((id, index) => recorded.set(id, runs[index] as Finished));
}, 120_000);
afterAll(async () => {
  await Promise.all(apis.map(({ stop }) => stop()));
  await rm(project, { recursive: true, force: true });
});

function readRun(id: string): { result: unknown; failures: string[]; stderr: string } {
  const { code, stdout, stderr } = recorded.get(id) as Finished;
  expect(code, stderr).toBe(0);
  const { failures, ...result } = JSON.parse(stdout);
  return { result, failures, stderr };
}

/** Expects each failure to have these words in it. */
function expectFailures(failures: string[], words: string[]): void {
  expect(failures).toEqual(words.map((word) => expect.stringContaining(word)));
}

describe("a script reads, writes, pages and fails", () => {
  test("against Unleash, whose 198 operations are tools; two of its answers do not fit its document, which is said", () => {
    const { result, failures, stderr } = readRun("flags");
    expect(result).toEqual({
      ...{ description: "für alle", type: "kill-switch", on: ["development"] },
      names: [0, 1, 2, 3, 4, 5, 6].map((index) => `flag-${index}`),
      tagged: ["flag-1"],
    });
    expectFailures(failures, [
      'answered 409 Conflict {"id":',
      'must be URL friendly. You provided \\\"no name\\\"',
      "lead out of its path",
      "answered 429 Too Many Requests Too many requests, please try again later. hint: There were too many requests; wait before the next one. Retry-After: ",
    ]);
    expect(stderr).toContain('flags/toggleFeatureEnvironmentOn does not match its output schema: "/name"');
    expect(stderr).toContain('flags/searchFeatures does not match its output schema: "/features/0/favorite"');
  });

  test("against the example application of LoopBack, whose filters are JSON in the query", () => {
    const { result, failures } = readRun("todo");
    expect(result).toEqual({
      first: { id: 1, title: "milk", desc: "2 l", isComplete: false },
      done: 2,
      pages: [
        ["tea", "50 % & more"],
        ["bread rolls", "milk"],
      ],
      found: [{ id: 3, title: "50 % & more", isComplete: true }],
      complete: 2,
    });
    expectFailures(failures, [
      "answered 404 Not Found",
      "answered 400 Bad Request",
      'TodoController_create: "/id" should be absent',
    ]);
  });

  test("against an application of Fastify, with versions, a login and a limit of requests", () => {
    const { result, failures } = readRun("notes");
    expect(result).toEqual({
      changed: { id: 1, version: 2, title: "ünï", tags: ["a,b"], due: null },
      ...{ pages: [[1, 3, 5, 7, 9], [11]], lines: 11, exports: 2 },
    });
    expectFailures(failures, [
      "answered 404 Not Found",
      "answered 412 Precondition Failed",
      "answered 422 Unprocessable Entity",
      'addNote: "/title" should be of no more than 80 characters',
      "answered 429 Too Many Requests",
    ]);
  });
});

test.each(IDS)("the types of %s fit the script", async (id) => {
  const { code, stderr } = await runCodemode(["check", `${id}.ts`, "--strict"], { cwd: project });
  expect(code, stderr).toBe(0);
});

test("without the login each API answers with 401, and the hint names the variable that it reads", async () => {
  const script = `import { getProjects } from "@codemode/servers/flags";
    import { addNote } from "@codemode/servers/notes";
    export default await Promise.all([getProjects().catch(String), addNote({ title: "x" }).catch(String)]);`;
  const { stdout } = await runCodemode(["run", "--eval", script], { cwd: project, env: { TOKEN: "wrong" } });
  expect(JSON.parse(stdout)).toEqual([
    expect.stringMatching(/GET \/api\/admin\/projects answered 401 [^]*OPENAPI_API_KEY or OPENAPI_BEARER_TOKEN/),
    expect.stringMatching(/POST \/notes answered 401 [^]*OPENAPI_KEY/),
  ]);
});

test("an agent runs a script against all three through codemode.run", async () => {
  const client = await connectModern(project, [], {}, env);
  const code = `import { searchFeatures } from "@codemode/servers/flags";
    import { listNotes } from "@codemode/servers/notes";
    import { TodoController_count } from "@codemode/servers/todo";
    const [flags, notes, todo] = await Promise.all([searchFeatures({ limit: "1" }), listNotes({ size: 20 }), TodoController_count()]);
    export default { flags: flags.total, notes: notes.body.length, todo: todo.count };`;
  const { structuredContent } = await client.callTool({ name: "codemode.run", arguments: { code } });
  // One flag is archived.
  expect(structuredContent).toMatchObject({ result: { flags: 6, notes: 11, todo: 4 } });
});

test("a batch makes one call for each line, and runs again what has failed", async () => {
  const lines = [{ title: "first" }, { title: "old", due: "1990-01-01T00:00:00Z" }, { title: "third" }];
  await writeFiles(project, {
    "add.js": `import { addNote } from "@codemode/servers/notes";
      export default (await addNote({ ...globalThis.__codemode_input__, tags: ["batch"] })).title;`,
    "lines.jsonl": lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
  const batch = () => runCodemode(["run", "add.js", "--inputs", "lines.jsonl"], { cwd: project, env });
  const first = await batch();
  expect(first.code, first.stderr).toBe(1);
  expect(first.stdout).toContain("answered 422");
  lines[1] = { title: "second" };
  await writeFiles(project, { "lines.jsonl": lines.map((line) => `${JSON.stringify(line)}\n`).join("") });
  const second = await batch();
  expect(
    second.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).result),
  ).toEqual(["first", "second", "third"]);
  const count = `import { listNotes } from "@codemode/servers/notes";
    export default (await listNotes({ tag: ["batch"] })).body.length;`;
  const counted = await runCodemode(["run", "--eval", count], { cwd: project, env });
  expect(counted.stdout).toBe("3\n");
});

test.each(IDS)("the run against %s is replayed without it", async (id) => {
  const cwd = await makeProject({});
  const { code, stdout } = await runCodemode(["replay", join(project, `${id}.json`)], { cwd });
  expect({ code, stdout }).toEqual({ code: 0, stdout: recorded.get(id)?.stdout });
});
