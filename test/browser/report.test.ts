import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { printPage } from "../../extras/ui/report/print-page.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { RecordedCall, Recording } from "../../schemas/run/recording.ts";
import { runCodemode } from "../e2e/run-codemode.ts";
import { callAt, HOSTILE, hostileReport, longReport, reportOf } from "../extras/ui/report/reports.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser } from "./open-browser.ts";

const SCRIPT = `
import { echo, get_sum } from "@codemode/servers/everything";
import { read_text_file } from "@codemode/servers/filesystem";

console.log("starting");
const sums = await Promise.all([1, 2, 3].map((n) => get_sum({ a: n, b: n })));
console.warn(${JSON.stringify(HOSTILE)}, sums.length);
await read_text_file({ path: "nowhere.txt" }).catch(() => console.error("no such file"));
const long = await echo({ message: "private words ".repeat(400) });
export default long.nothing.length;
`;
const LINE_OF_ERROR = 10;

let folder: string;
let browser: Browser;
let context: BrowserContext;
let answer: RunAnswer;
let recording: Recording;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codemode-report-"));
  await writeFile(join(folder, "script.ts"), SCRIPT);
  const script = join(folder, "script.ts");
  const files = ["--report", at("run.html"), "--record", at("run.json")];
  // This repository is a project with real servers, whose packages are generated.
  const [opened, finished] = await Promise.all([
    openBrowser(),
    runCodemode(["run", script, "--json", "--frozen", ...files], { cwd: resolve(".") }),
  ]);
  browser = opened;
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  expect(finished).toMatchObject({ code: 1, stderr: "" });
  answer = JSON.parse(finished.stdout) as RunAnswer;
  recording = JSON.parse(await readFile(at("run.json"), "utf8")) as Recording;
}, 60_000);
afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

function at(name: string): string {
  return join(folder, name);
}

interface Opened {
  page: Page;
  /** What the page asked for beside itself. */
  requests: string[];
  /** Its console messages, including violations of its policy. */
  messages: string[];
}

async function openPage(file: string, options?: BrowserContextOptions): Promise<Opened> {
  const page = options === undefined ? await context.newPage() : await browser.newPage(options);
  onTestFinished(() => page.close());
  // Less than the test's own time, so that a failure names its step.
  page.setDefaultTimeout(10_000);
  const opened: Opened = { page, requests: [], messages: [] };
  const address = pathToFileURL(file).href;
  page.on("request", (request) => request.url() !== address && opened.requests.push(request.url()));
  page.on("console", (message) => opened.messages.push(message.text()));
  page.on("pageerror", (error) => opened.messages.push(error.message));
  await page.goto(address);
  return opened;
}

/** The cells of a table's body, row by row. */
function cellsOf(page: Page, table: string): Promise<string[][]> {
  return page
    .locator(`${table} tbody tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => String(cell.textContent).trim())));
}

test("the page says what ran and how it went, and is for its owner alone", async () => {
  const { page, requests, messages } = await openPage(at("run.html"));
  expect(await page.title()).toBe("script.ts: failed – codemode");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("script.ts ✕ failed");
  expect(await page.locator(".facts").textContent()).toContain("sha256-");
  expect((await stat(at("run.html"))).mode & 0o777).toBe(0o600);
  expect({ requests, messages }).toEqual({ requests: [], messages: [] });
});

test("its tables hold what the run was: calls, sizes, manifest and logs", async () => {
  const { page } = await openPage(at("run.html"));
  const rows = await cellsOf(page, "table.calls");
  const outcomes = rows.map(([_number, serverId, toolName, _start, _took, outcome]) => [serverId, toolName, outcome]);
  expect(outcomes).toEqual(
    answer.toolTrace.map(({ serverId, toolName, ok }) => [serverId, toolName, ok ? "ok" : "failed ToolCallError"]),
  );
  const bars: string[] = await page
    .locator("a.timeline-call")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(new Set(bars)).toEqual(new Set(rows.map(([number]) => `#call-${number}`)));

  const sizes = await cellsOf(page, ".traffic table");
  const bytes = sizes.map(([_what, _where, size]) => Number(size?.replace(/\D/g, "")));
  expect(bytes).toEqual([
    sumBytes(recording.calls.map(({ input }) => input)),
    sumBytes(recording.calls.map(valueOf)),
    sumBytes([answer]),
    Buffer.byteLength(SCRIPT),
  ]);
  expect(await page.locator(".lead").textContent()).toMatch(/^The calls moved .+ times less/);

  const tools = (await cellsOf(page, "[aria-labelledby=manifest] table")).map(([server, tool, called]) => [
    server,
    tool,
    called,
  ]);
  expect(tools.slice(0, 3)).toEqual([
    ["everything", "echo", "1 call"],
    ["everything", "get-sum", "3 calls"],
    ["filesystem", "read_text_file", "1 call"],
  ]);
  const logs = await page.locator(".log-lines .message").allTextContents();
  expect(logs).toEqual(["starting", `warn ${HOSTILE.replace("\u202e", "\\u202e")} 3`, "error no such file"]);
});

function sumBytes(values: readonly unknown[]): number {
  return values.reduce((sum: number, value) => sum + Buffer.byteLength(JSON.stringify(value)), 0);
}

function valueOf({ reply }: RecordedCall): unknown {
  return reply?.ok === true ? reply.value : reply?.error;
}

test("calls that ran at the same time stand in lanes of their own", async () => {
  const { page } = await openPage(at("run.html"));
  const places = await page
    .locator("a.timeline-call[aria-label*='get-sum'] .timeline-bar")
    .evaluateAll((bars) => bars.map((bar) => bar.getAttribute("y")));
  expect(new Set(places).size).toBe(3);
});

test("a diagnostic stands at its place in the source, with its hint", async () => {
  const { page } = await openPage(at("run.html"));
  const marked = page.locator(".marked");
  expect(await marked.getAttribute("id")).toBe(`line-0-${LINE_OF_ERROR}`);
  expect(await marked.locator("mark").textContent()).toBe("length");
  expect(await marked.textContent()).toContain(answer.diagnostics[0]?.hint);
  await page.getByRole("link", { name: `script.ts:${LINE_OF_ERROR}:` }).click();
  expect(await page.locator(".marked:target").isVisible()).toBe(true);
});

test("the time line is one stop of the Tab key, and arrows go from call to call", async () => {
  const { page } = await openPage(at("run.html"));
  const focused = page.locator(":focus");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  // Until the link has been followed, the next Tab begins where the page does.
  await page.locator("#time-line:target").waitFor();
  await page.keyboard.press("Tab");
  expect(await focused.getAttribute("aria-label")).toMatch(
    /^Call 1: get-sum of everything, starts at .+, took .+, ok, gave /,
  );
  const details = page.getByRole("region", { name: "The chosen call" });
  expect(await details.textContent()).toContain("Call1Servereverything");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowLeft");
  expect(await details.textContent()).toContain("Call2");
  await page.keyboard.press("End");
  expect(await focused.getAttribute("data-call")).toBe("5");
  await page.keyboard.press("Escape");
  expect(await details.isVisible()).toBe(false);
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  expect(await page.locator("tr:target").getAttribute("id")).toBe("call-1");
  await page.locator("a.timeline-call").nth(3).click();
  expect(await details.isVisible()).toBe(true);
});

test("axe finds nothing wrong, in light and in dark", async () => {
  const { page } = await openPage(at("run.html"));
  await page.locator("a.timeline-call").first().focus();
  expect(await findViolations(page)).toEqual([]);
  const surface = "getComputedStyle(document.body).backgroundColor";
  const light = await page.evaluate(surface);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await page.evaluate(surface)).not.toBe(light);
  expect(await findViolations(page, { rules: ["color-contrast"] })).toEqual([]);
});

test("it is readable without its script, on a narrow screen, and printed whole", async () => {
  const { page } = await openPage(at("run.html"), { javaScriptEnabled: false, viewport: { width: 360, height: 640 } });
  expect(await page.locator("a.timeline-call").count()).toBe(5);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  // No column of a table is cut.
  const cut = "[...document.querySelectorAll('.table-frame')].filter((frame) => frame.scrollWidth > frame.clientWidth)";
  for (const width of [360, 400, 640, 1120]) {
    await page.setViewportSize({ width, height: 640 });
    expect(await page.evaluate(`${cut}.map((frame) => frame.ariaLabel)`)).toEqual([]);
  }
  await page.emulateMedia({ media: "print" });
  expect(await page.evaluate("getComputedStyle(document.querySelector('.log-frame')).maxHeight")).toBe("none");
});

test("inputs, outputs and the result are in it only where they are wanted, and cut", async () => {
  const plain = await readFile(at("run.html"), "utf8");
  expect(plain.replaceAll("&quot;", '"')).not.toContain("private words private words");
  const finished = await runCodemode(["replay", at("run.json"), "--report", at("replay.html"), "--report-payloads"], {
    cwd: folder,
  });
  expect(finished.code).toBe(0);
  const { page, messages } = await openPage(at("replay.html"));
  expect(await page.locator(".kind").textContent()).toBe("codemode · report of a recording");
  const payload = page.locator("#call-5 details");
  await payload.locator("summary").click();
  expect(await payload.textContent()).toMatch(/private words .*1\.5 kB more are left out/);
  const outcomes = await page.locator("table.calls .outcome").allTextContents();
  expect(outcomes).toEqual(answer.toolTrace.map(({ ok }) => (ok ? "ok" : "failed")));
  expect(messages).toEqual([]);
});

test("calls that a dry run left out, and unawaited calls, are distinguishable from others", async () => {
  const code = `
    import { create_entities } from "@codemode/servers/memory";
    import { trigger_long_running_operation } from "@codemode/servers/everything";
    await create_entities({ entities: [] });
    void trigger_long_running_operation({ duration: 60, steps: 1 });
    await null;
    throw new Error("early");
  `;
  const words = ["run", "--eval", code, "--dry-run", "--frozen", "--report", at("dry.html")];
  expect(await runCodemode(words, { cwd: resolve(".") })).toMatchObject({ code: 1 });
  const { page } = await openPage(at("dry.html"));
  const rows = (await cellsOf(page, "table.calls")).map((cells) => [cells[2], cells[4] === "–", cells[5], cells[8]]);
  expect(rows).toEqual([
    ["create_entities", false, "skipped", "–"],
    ["trigger-long-running-operation", true, "not finished", "–"],
  ]);
  expect(await page.locator(".timeline-legend li:not(.timeline-keys)").allTextContents()).toEqual([
    " skipped",
    " not finished",
  ]);
});

test.each([
  [["run", "script.ts", "--report", "page.txt"], "must end in .html"],
  [["run", "script.ts", "--report", "page.html", "--inputs", "lines.jsonl"], "one run"],
  [["run", "script.ts", "--report-payloads"], "it needs --report"],
  [
    ["run", "script.ts", "--report", "a.html", "--report-payloads", "--record", "a.json", "--redact", "*"],
    "codemode replay",
  ],
  [["replay", "run.json", "script.ts", "--report", "page.html"], "--update"],
])("codemode %j is refused", async (args, hint) => {
  const finished = await runCodemode(args, { cwd: folder });
  expect(finished).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(hint) });
});

test("all texts stay text", async () => {
  const { page, requests, messages } = await printed(hostileReport(), "hostile.html");
  const found = await page.evaluate(
    "[document.images.length, document.scripts.length, document.title, globalThis.hacked]",
  );
  expect(found).toEqual([0, 1, expect.stringContaining("\\u202e"), undefined]);
  await page.locator("a.timeline-call").first().focus();
  expect(await page.locator(".timeline-details").textContent()).toContain("<img src=x");
  expect(await page.content()).not.toContain("\u202e");
  expect({ requests, messages }).toEqual({ requests: [], messages: [] });
});

test("of very many calls and lines it shows what can be looked at, and says what it left out", async () => {
  const { page } = await printed(longReport(), "long.html");
  expect(await page.locator("a.timeline-call").count()).toBe(1000);
  expect(await page.locator(".timeline-omitted").textContent()).toBe("500 further calls are not drawn.");
  expect(await page.locator("table.calls caption").textContent()).toContain("The first 1\u00a0000 are shown");
  expect(await page.locator(".log-lines li").count()).toBe(2001);
  expect(await page.locator(".log-lines .left-out").textContent()).toBe("8\u00a0000 lines are left out here.");
});

test("a call is one place to click, from its bar to its label", async () => {
  const report = reportOf({ calls: [callAt(1, 10, 13), callAt(2, 95, 98)] });
  const { page } = await printed(report, "two-calls.html");
  const missed = await page.evaluate(
    `[...document.querySelectorAll("a.timeline-call:has(text:not(.is-inside))")].map((call) => {
      const { x, y, width, height } = call.getBoundingClientRect();
      const points = Array.from({ length: Math.floor(width) }, (_, index) => [x + index + 0.5, y + height / 2]);
      return points.filter((point) => document.elementFromPoint(...point)?.closest("a") !== call).length;
    })`,
  );
  expect(missed).toEqual([0, 0]);
});

async function printed(report: Parameters<typeof printPage>[0], name: string): Promise<Opened> {
  const [style, script] = await Promise.all(
    ["report.css", "report.js"].map((file) => readFile(resolve("dist/extras/ui/report/page", file), "utf8")),
  );
  await writeFile(at(name), printPage(report, { style: style ?? "", script: script ?? "" }));
  return openPage(at(name));
}
