import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { writePrograms } from "./offline-programs.ts";
import { evaluate } from "./follow-steps.ts";
import { planSteps } from "./page-steps.ts";
import { readPages } from "./read-pages.ts";
import { isResident, openResidentHost, type ResidentHost } from "./resident-host.ts";
import { PAGE_TIMEOUT_MS, runPage } from "./run-page.ts";

const START = "docs/example-project.md";
/** Followed from an empty folder, by a test of its own. */
const GETTING_STARTED = "docs/getting-started.md";

const pages = readPages();
const shown = [...pages].filter(([path, { text, blocks }]) => {
  const isSession = blocks.some(({ language }) => language === "console");
  return path !== START && path !== GETTING_STARTED && isSession && planSteps(text, false).length > 0;
});

let folder: string;
let project: string;
let host: ResidentHost;

// One lock for all pages: each begins in a copy of the project that this page makes.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codemode-examples-"));
  project = join(folder, "project");
  expect(await runPage(pages.get(START)?.text ?? "", { to: project })).toEqual([]);
  const bin = join(folder, "bin");
  await mkdir(bin);
  await writePrograms(bin);
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  host = await openResidentHost(project);
}, PAGE_TIMEOUT_MS);

afterAll(async () => {
  await host.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test.each(shown)("the sessions of %s run as they are shown", { timeout: PAGE_TIMEOUT_MS }, async (_, { text }) => {
  const steps = planSteps(text, false);
  for (const step of steps) {
    if (step.kind === "file") await writeFile(join(project, step.path), step.text);
    if (step.kind === "file" || !isResident(step.command)) continue;
    const { printed, code } = await host.run(step.command);
    expect([step.line, evaluate(step, code, printed)]).toEqual([step.line, undefined]);
  }
  if (steps.every((step) => step.kind === "file" || isResident(step.command))) return;
  expect(await runPage(text, { from: project, withSh: false, leaveOut: isResident })).toEqual([]);
});
