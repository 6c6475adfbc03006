import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Comment, startForge } from "./forge-stand-in.ts";
import { jobEnvironment, makeReviewedProject } from "./project-with-action.ts";
import { runAction } from "./run-action.ts";

const TOKEN = "token-of-the-step";
const golden = (name: string) => `../golden/action/${name.replaceAll(" ", "-")}.md`;

/** A pull request of a project, and its review with the servers of a scenario. */
async function openPullRequest() {
  const { folder, become, seen } = await makeReviewedProject();
  const forge = await startForge(TOKEN);
  await writeFile(join(folder, "../event.json"), JSON.stringify({ pull_request: { number: 7 } }));
  const env = jobEnvironment(folder, forge.url, "pull_request");
  const review = async (scenario: string, inputs: Record<string, string>) => {
    await become(scenario);
    return runAction({ folder, inputs, env, token: TOKEN });
  };
  const own = () => forge.comments.filter(({ body, user }) => body !== null && user.login === "github-actions[bot]");
  return { folder, forge, env, review, own, seen };
}

test("without drift there is no comment; a rug pull gets one, and stops the job; the token stays in its step", async () => {
  const { forge, review, own, seen } = await openPullRequest();
  const body = "<!-- codemode review . -->\nNothing has changed.";
  const stranger: Comment = { id: 1, body, user: { login: "mallory" } };
  const others = Array.from({ length: 120 }, (_, id) => ({ id: id + 2, body: "+1", user: { login: "octocat" } }));
  const empty: Comment = { id: 200, body: null, user: { login: "github-actions[bot]" } };
  forge.comments.push(empty, stranger, ...others);

  const quiet = await review("no change", {});
  expect(quiet).toMatchObject({ code: 0, outputs: { drift: "false", breaking: "false", comment: "none" } });
  await expect(quiet.summary).toMatchFileSnapshot(golden("no change"));
  expect(own()).toEqual([]);

  const pulled = await review("a rug pull", { checks: "lock diff" });
  expect(pulled).toMatchObject({ code: 3, outputs: { drift: "true", breaking: "false", comment: "created" } });
  await expect(pulled.summary).toMatchFileSnapshot(golden("a rug pull"));
  expect(own()).toMatchObject([{ body: pulled.summary }]);
  expect(stranger.body).toBe(body);
  expect(seen()).toContain('"LEAK":"nonenone"');
  expect(seen()).not.toContain("token-of-");
});

test("the comment is updated; with `fail-on: breaking` other changes pass", async () => {
  const { forge, review, own } = await openPullRequest();
  forge.comments.push({ id: 5, body: "<!-- codemode review . -->\nold", user: { login: "github-actions[bot]" } });
  for (const [scenario, code] of Object.entries({
    "a breaking change": 3,
    "a new destructive tool": 0,
    "hostile texts": 3,
  })) {
    const done = await review(scenario, { checks: "lock diff", "fail-on": "breaking" });
    expect(done).toMatchObject({ code, outputs: { breaking: String(code === 3), comment: "updated" } });
    await expect(done.summary).toMatchFileSnapshot(golden(scenario));
    expect(own()).toMatchObject([{ id: 5, body: done.summary }]);
  }
});

test("the token of a fork may not comment, and no event runs a fork's code with one that may", async () => {
  const { folder, forge, env, review } = await openPullRequest();
  forge.comments.push({ id: 5, body: "<!-- codemode review . -->\nold", user: { login: "github-actions[bot]" } });
  forge.isReadOnly = true;
  expect(await review("no change", { checks: "generate" })).toMatchObject({ code: 0, outputs: { comment: "refused" } });
  const target = await runAction({ folder, env: { ...env, GITHUB_EVENT_NAME: "pull_request_target" }, token: TOKEN });
  const refusal = expect.stringContaining("::error::The event pull_request_target is refused") as string;
  expect(target).toMatchObject({ code: 2, log: refusal });
});

test("a script that fails, a package out of date, and a missing installation end the job with their codes", async () => {
  const { folder } = await makeReviewedProject();
  const job = { folder, env: jobEnvironment(folder, "http://127.0.0.1:9", "push"), token: TOKEN };
  await writeFile(join(folder, "../event.json"), "{}");
  await writeFile(
    join(folder, "list.ts"),
    'import { look } from "@codemode/servers/disk";\nexport default await look({ path: 1 });\n// ```\n',
  );
  await writeFile(join(folder, "generated/index.d.ts"), "// ours\n");
  const { code, log, summary } = await runAction({ ...job, inputs: { checks: "generate scripts", comment: "false" } });
  expect(code).toBe(1);
  expect(log).toMatch(/^::stop-commands::([\w-]+)\n[^]*^::\1::$/m);
  expect(summary).toMatch(
    /`codemode generate --check` \| \*\*differs\*\*[^]*`codemode check --all` \| \*\*failed\*\*[^]*TYPE_ERROR/,
  );

  const elsewhere = await runAction({ ...job, inputs: { "working-directory": ".." } });
  expect(elsewhere).toMatchObject({ code: 2, log: expect.stringContaining("run `npm ci` in a step before") as string });
  const typo = await runAction({ ...job, inputs: { checks: "lint" } });
  expect(typo).toMatchObject({
    code: 2,
    log: '::error::The check "lint" is unknown: choose of lock, diff, generate, scripts.\n',
  });
});
