import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { DurableExtra } from "../../../engine/extras.ts";
import { loadConfig } from "../../../engine/load-config.ts";
import { durableFolder } from "../../../engine/store-plan.ts";
import { extra } from "../../../extras/durable/index.ts";
import { makeRunsOpener } from "../../../extras/ui/server/ui-project.ts";
import { cancelRun, listRuns, removeRun, showRun } from "../../../extras/ui/server/routes/list-runs.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { startPglite } from "../stores/start-pglite.ts";
import { BEGUN_AT, callOf, endedWith, keepRun } from "./keep-run.ts";

const NONE = { rows: [], total: 0 };

/** A project with these settings of `serve`, whose page counts how often it has loaded what keeps durable runs. */
async function openProject(serve: object = {}, load = async (): Promise<DurableExtra | undefined> => extra) {
  const folder = await makeTestFolder();
  await writeFile(join(folder, "codemode.config.json"), JSON.stringify({ mcpServers: {}, serve }));
  const config = await loadConfig({ cwd: folder });
  let loads = 0;
  const runs = makeRunsOpener(config, () => {
    loads += 1;
    return load();
  });
  onTestFinished(() => runs.close());
  return { config, runs, loads: () => loads };
}

it("loads nothing and makes nothing where the project can have no durable runs", async () => {
  const project = await openProject({});
  expect(await listRuns(project)).toEqual(NONE);
  await expect(showRun(project, "x".repeat(22))).rejects.toMatchObject({ status: 404 });
  expect(project.loads()).toBe(0);
  expect(existsSync(durableFolder(project.config))).toBe(false);
});

it("lists nothing where the extra was deleted", async () => {
  const project = await openProject({}, async () => undefined);
  const id = await keepRun(project.config, []);
  expect(await listRuns(project)).toEqual(NONE);
  await expect(cancelRun(project, id)).rejects.toMatchObject({ status: 404 });
});

it("says why runs cannot be read only where the project is to have some", async () => {
  // eslint-disable-next-line no-template-curly-in-string
  const store = "${NOT_SET_ANYWHERE}";
  expect(await listRuns(await openProject({ store }))).toEqual(NONE);
  const problem = expect.stringContaining("NOT_SET_ANYWHERE");
  expect(await listRuns(await openProject({ store, durable: true }))).toEqual({ ...NONE, problem });
});

const storeKey = "k".repeat(32);

it.each([
  ["in plain text", async () => ({})],
  ["encrypted", async () => ({ storeKey })],
  ["in PostgreSQL", async () => ({ storeKey, store: await startPglite() })],
])("lists the runs that are kept %s, the newest first, and shows one", async (_, settings) => {
  const project = await openProject(await settings());
  const { config } = project;
  const lines = ['- "files/delete": may destroy', '  "path": "/a"'];
  const asked = await keepRun(
    config,
    [
      callOf("files", "delete\n  call 9 sent"),
      { kind: "asked", about: "call", call: 1, digest: "d", nonce: "n", lines },
      { kind: "suspended", usedMs: 5, at: 0 },
    ],
    { client: "ada" },
  );
  const over = await keepRun(config, [endedWith({ result: { sum: 42 } })], {
    script: "sum.ts",
    begunAt: BEGUN_AT + 1000,
  });
  const row = {
    id: asked,
    script: "script.ts",
    client: "ada",
    state: expect.stringMatching(/^waits for a person \(1 question\), \d+ days so far$/),
  };
  expect(await listRuns(project)).toEqual({
    rows: [
      { id: over, script: "sum.ts", state: "ended", begun: expect.stringMatching(/, 0 calls$/), hasEnded: true },
      { ...row, begun: expect.stringMatching(/^begun 2026-11-2[56] \d\d:\d\d:00, 1 call$/), hasEnded: false },
    ],
    total: 2,
  });
  const { result, resume, ...shown } = await showRun(project, asked);
  expect([result, resume]).toEqual([undefined, `codemode runs ${asked} --resume`]);
  const steps = ["call 1: files/delete   call 9 sent", "call 1: a person is asked", "suspended"];
  expect(shown).toMatchObject({ ...row, questions: [lines], steps, before: 0 });
  expect(JSON.stringify(shown)).not.toContain("hidden");
  expect(await showRun(project, over)).toMatchObject({ result: { sum: 42 }, steps: [], questions: [] });
  expect(project.loads()).toBe(1);
});

it("cancels a run, leaves the answer of one that has ended, and removes only such ones", async () => {
  const project = await openProject();
  const { config } = project;
  const open = await keepRun(config, [callOf("files", "read")]);
  const over = await keepRun(config, [endedWith({ result: 1 })]);
  await expect(removeRun(project, open)).rejects.toMatchObject({ code: "RUN_OPEN" });
  for (const id of [open, over]) await cancelRun(project, id);
  expect(await showRun(project, open)).toMatchObject({ state: "ended: RUN_CANCELLED", hasEnded: true });
  expect(await showRun(project, over)).toMatchObject({ state: "ended", result: 1 });
  await removeRun(project, open);
  expect((await listRuns(project)).rows.map(({ id }) => id)).toEqual([over]);
  for (const id of [open, "../../x"]) {
    await expect(showRun(project, id)).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
    await expect(removeRun(project, id)).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  }
});

it("gives the page the end of a long time line, and the newest of many runs", async () => {
  const project = await openProject();
  const fired = Array.from({ length: 1005 }, (_, timer) => ({ kind: "fire" as const, timer, timeMs: timer }));
  const id = await keepRun(project.config, fired);
  const { steps, before } = await showRun(project, id);
  expect([steps.length, steps.at(-1), before]).toEqual([1000, "timer 1004 fired", 5]);
  for (let count = 0; count < 100; count += 1) await keepRun(project.config, []);
  const { rows, total } = await listRuns(project);
  expect([rows.length, total, rows.some((row) => row.id === id)]).toEqual([100, 101, false]);
});
