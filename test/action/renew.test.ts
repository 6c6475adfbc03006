import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startForge } from "./forge-stand-in.ts";
import { jobEnvironment, makeReviewedProject } from "./project-with-action.ts";
import { runAction } from "./run-action.ts";

const TOKEN = "token-of-the-step";

/** A project that is renewed on a schedule, with the stand-in for the place where its pull requests are. */
async function makeSchedule() {
  const project = await makeReviewedProject();
  const { folder } = project;
  const forge = await startForge(TOKEN);
  const job = { folder, inputs: { mode: "renew" }, env: jobEnvironment(folder, forge.url, "schedule"), token: TOKEN };
  return { ...project, forge, renew: () => runAction(job) };
}

test("on a schedule, one pull request holds the renewed lockfile and packages", async () => {
  const { become, seen, forge, renew } = await makeSchedule();
  expect(await renew()).toMatchObject({ code: 0, outputs: { drift: "false" } });
  expect(forge.requests).toEqual([]);

  await become("a new destructive tool");
  expect(await renew()).toMatchObject({ code: 0, outputs: { drift: "true", "pull-request": "12" } });
  expect(forge.pulls).toMatchObject([{ head: "codemode/renew" }]);
  expect(forge.pulls[0]?.body).toContain('`tool "erase" added: @destructive @openWorld`');
  const [tree = []] = forge.trees.values();
  expect(tree.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["codemode.lock.json", "generated/disk/index.js"]),
  );
  expect(tree.find(({ path }) => path === "codemode.lock.json")?.content).toContain('"erase"');
  expect(seen()).not.toContain("token-of-");
});

test("the pull request stays as it is until something changes", async () => {
  const { become, forge, renew } = await makeSchedule();
  await become("a new destructive tool");
  await renew();
  const head = forge.branches.get("codemode/renew");
  expect(head).toBeDefined();
  // The work tree holds the renewed files, and nothing is committed: the next run finds the same.
  expect(await renew()).toMatchObject({ code: 0, outputs: { "pull-request": "12" } });
  expect(forge.branches.get("codemode/renew")).toBe(head);
});

test("the pull request takes what changes after it was opened", async () => {
  const { become, forge, renew } = await makeSchedule();
  await become("a new destructive tool");
  await renew();
  const head = forge.branches.get("codemode/renew");
  expect(head).toBeDefined();
  await become("a breaking change");
  expect(await renew()).toMatchObject({ code: 0 });
  expect(forge.branches.get("codemode/renew")).not.toBe(head);
  expect(forge.pulls).toHaveLength(1);
});

test("a link to a file of the machine is not committed", async () => {
  const { folder } = await makeReviewedProject();
  await writeFile(join(folder, "../secret"), "of the machine");
  await symlink(join(folder, "../secret"), join(folder, "planted.js"));
  const env = jobEnvironment(folder, "http://127.0.0.1:9", "schedule");
  const job = await runAction({ folder, inputs: { mode: "renew", paths: "planted.js" }, env, token: TOKEN });
  expect(job).toMatchObject({
    code: 2,
    log: expect.stringContaining("::error::A generated file is no regular") as string,
  });
});
