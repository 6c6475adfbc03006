import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { COMMANDS } from "../../cli/commands.ts";

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<
    string,
    { "timeout-minutes"?: number; permissions?: Record<string, string>; strategy?: object; steps: Step[] }
  >;
}

const read = (path: string) => parse(readFileSync(path, "utf8")) as unknown;
const filesIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name));
const OWN = filesIn(".github/workflows");
const FOR_USERS = [...filesIn("examples/workflows"), "examples/pinned-in-ci/workflow.yml"];

/** The actions that may run, each at one version everywhere. */
const ACTIONS = [
  "actions/checkout@v4",
  "actions/setup-node@v4",
  "actions/dependency-review-action@v4",
  "github/codeql-action/init@v3",
  "github/codeql-action/analyze@v3",
  "OWNER/codemode/action@v0.1.0",
];

const scripts = (read("package.json") as { scripts: Record<string, string> }).scripts;

/** What a step runs that is not there. */
function missingIn(run: string): string[] {
  const lines = run.replaceAll("\\\n", " ").split("\n");
  return lines.flatMap((line) => {
    const script = /^\s*npm (?:run (\S+)|(test|start))$/.exec(line);
    if (script !== null) return Object.hasOwn(scripts, script[1] ?? script[2] ?? "") ? [] : [line];
    const file = /^\s*node (?!-)(\S+)/.exec(line)?.[1];
    if (file !== undefined) return existsSync(file) ? [] : [line];
    const command = /\bnpx codemode (\S+)/.exec(line)?.[1];
    const isKnown = COMMANDS.some(({ usage }) => usage.split(" ")[0] === command);
    return command === undefined || isKnown ? [] : [line];
  });
}

test.each([...OWN, ...FOR_USERS])("%s runs commands that exist, with as few rights as it needs", (file) => {
  const { on, permissions, jobs } = read(file) as Workflow;
  expect(Object.keys(on)).not.toContain("pull_request_target");
  expect(permissions["contents"]).toMatch(/^(?:read|write)$/);
  for (const job of Object.values(jobs)) {
    expect(job["timeout-minutes"] ?? 60).toBeLessThanOrEqual(60);
    for (const { uses, run = "", with: input } of job.steps) {
      if (uses !== undefined) expect(ACTIONS).toContain(uses);
      if (uses?.startsWith("actions/checkout") === true) expect(input).toMatchObject({ "persist-credentials": false });
      expect(missingIn(run)).toEqual([]);
      // An expression in a script is text that the shell runs.
      expect(run).not.toContain("${{");
    }
  }
});

test("every platform and Node version is tested, and a release proves where it comes from", () => {
  const { jobs } = read(".github/workflows/ci.yml") as Workflow;
  expect(jobs["fast"]?.strategy).toMatchObject({
    matrix: { os: ["ubuntu-latest", "macos-latest", "windows-latest"], node: [20, 22, 24] },
  });
  const release = read(".github/workflows/release.yml") as Workflow;
  expect(release.jobs["publish"]?.permissions).toEqual({ contents: "read", "id-token": "write" });
});

test("a command that is not there is found", () => {
  expect(missingIn("npm run no-such\nnode no/such.js\nnpx codemode nothing\nnpm ci\nnpm test")).toEqual([
    "npm run no-such",
    "node no/such.js",
    "npx codemode nothing",
  ]);
});

test("forms of issues, the template of GitLab and the hooks parse, and run what is there", () => {
  for (const file of filesIn(".github/ISSUE_TEMPLATE")) expect(read(file)).toBeTypeOf("object");
  const gitlab = read("action/gitlab/review.gitlab-ci.yml") as Record<
    string,
    { script?: string[]; environment?: object }
  >;
  const programs = Object.values(gitlab).flatMap(({ script = [] }) =>
    script.filter((line) => line.startsWith("node ")),
  );
  expect(programs.map((line) => line.replace("node /tmp/codemode-action/", "")).filter(existsSync)).toHaveLength(3);
  // The job that runs the project's code is not in the environment that has the token.
  expect([gitlab["codemode:review"]?.environment, gitlab["codemode:note"]?.environment]).toMatchObject([
    undefined,
    { name: "codemode-note" },
  ]);
  const hooks = read(".pre-commit-hooks.yaml") as { entry: string; files: string }[];
  for (const { entry, files } of hooks) {
    const [, name, option] = /^npx --no codemode (\S+) (--\S+)$/.exec(entry) ?? [];
    const spec = COMMANDS.find(({ usage }) => usage.split(" ")[0] === name);
    expect(spec?.options.map(({ flag }) => flag)).toContain(option);
    expect("tools/codemode.lock.json").toMatch(new RegExp(files));
  }
});
