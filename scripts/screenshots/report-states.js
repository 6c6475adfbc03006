// The states of the report of a run.
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { printPage } from "../../extras/ui/report/print-page.ts";
import { longReport } from "../../test/extras/ui/report/reports.ts";
import { takeLooks } from "./take-looks.js";

/** `call` is the one that is chosen in the time line. */
const STATES = [
  { name: "report-ok", script: "links.ts", call: 9 },
  { name: "report-failed", script: "titles.ts", call: 2 },
  { name: "report-long", call: 1 },
];

/** What the documentation shows: the part of a state that begins with an element. */
const SHOWN = [
  { name: "report-light", state: "report-ok", colorScheme: "light", from: ".kind", height: 1135 },
  { name: "report-dark", state: "report-failed", colorScheme: "dark", from: "#time-line", height: 1150 },
];

/** Above what such a part begins with, in pixels. */
const TOP = 30;

/**
 * Runs the scripts against this repository's own servers, and takes the pictures of their reports.
 * @returns the names of all states
 */
export async function takeReportStates(browser, { root, temporary, all, images }) {
  const folder = join(temporary, "reports");
  await mkdir(folder);
  for (const { name, script, call } of STATES) {
    const file = join(folder, `${name}.html`);
    if (script === undefined) await writeLongReport(root, file);
    else await runScript(root, join("scripts/screenshots", script), file);
    const page = await openReport(browser, file, call);
    await takeLooks(page, { state: name, all, isWhole: true });
    await page.close();
  }
  for (const { name, state, colorScheme, from, height } of SHOWN) {
    const { call } = STATES.find((candidate) => candidate.name === state);
    const viewport = { width: 1120, height };
    const page = await openReport(browser, join(folder, `${state}.html`), call, { viewport, colorScheme });
    const { y } = await page.locator(from).boundingBox();
    await page.evaluate(`scrollBy(0, ${y - TOP})`);
    await page.screenshot({ path: join(images, `${name}.png`) });
    await page.close();
  }
  return STATES.map(({ name }) => name);
}

async function openReport(browser, file, call, options = {}) {
  const page = await browser.newPage({ ...options, reducedMotion: "reduce" });
  await page.goto(pathToFileURL(file).href);
  await page.locator(`a.timeline-call[data-call="${call}"]`).focus();
  return page;
}

/** One of the scripts is to fail: what counts is the page. */
function runScript(root, script, file) {
  const words = [join(root, "dist/cli/main.js"), "run", script, "--trust", "--report", file];
  return new Promise((settle) => {
    execFile(process.execPath, words, { cwd: root }, () => settle());
  });
}

const INTEGRITY = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
const SERVERS = ["server-0", "server-1", "server-2"];
const LONG = {
  script: "index-all.ts",
  startedAt: Date.UTC(2026, 10, 26),
  servers: SERVERS.map((id) => ({ id, integrity: INTEGRITY })),
  tools: SERVERS.map((serverId) => ({ serverId, toolName: "read", integrity: INTEGRITY })),
  traffic: {
    inputs: { bytes: 42_000, tokens: 12_600 },
    outputs: { bytes: 18_400_000, tokens: 4_710_000 },
    answer: { bytes: 2_400, tokens: 700 },
    script: { bytes: 900, tokens: 270 },
  },
};

async function writeLongReport(root, file) {
  const [style, script] = await Promise.all(
    ["report.css", "report.js"].map((name) => readFile(join(root, "dist/extras/ui/report/page", name), "utf8")),
  );
  await writeFile(file, printPage({ ...longReport(), ...LONG }, { style, script }));
}
