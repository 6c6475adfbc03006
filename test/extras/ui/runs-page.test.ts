import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig } from "../../../engine/load-config.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { findViolations } from "../../browser/find-violations.ts";
import { openBrowser } from "../../browser/open-browser.ts";
import { expectDialog } from "./expect-dialog.ts";
import { callOf, endedWith, keepRun } from "./keep-run.ts";
import { type StartedUi, startUi } from "./start-ui.ts";

const HOSTILE = `<img src=x onerror="document.title='taken'">\u202e.ts`;
const SHOWN = `<img src=x onerror="document.title='taken'">\\u202e.ts`;

let ui: StartedUi;
let browser: Browser;
let page: Page;
let config: Config;
const messages: string[] = [];

beforeAll(async () => {
  [ui, browser] = await Promise.all([startUi(), openBrowser()]);
  config = await loadConfig({ cwd: ui.folder });
  page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  await page.goto(ui.url);
  await page.getByRole("heading", { name: "filesystem" }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  expect(await ui?.end()).toBe(0);
});

test("the page lists durable runs as soon as there are some, opens, cancels and removes them, by keyboard alone", async () => {
  const heading = page.getByRole("heading", { name: "Durable runs" });
  expect(await heading.isVisible()).toBe(false);

  const question = [`- "files/<b>delete</b>\u200b": may destroy`, '  "path": "/a"'];
  const waiting = await keepRun(
    config,
    [
      callOf("files", "<b>delete</b>"),
      { kind: "asked", about: "call", call: 1, digest: "d", nonce: "n", lines: question },
      { kind: "asked", about: "call", call: 2, digest: "e", nonce: "n", lines: ["another"] },
      { kind: "suspended", usedMs: 5, at: 0 },
    ],
    { script: HOSTILE, client: "<i>ada</i>" },
  );
  await heading.waitFor();
  const row = page.getByRole("button", { name: waiting });
  expect(await row.innerText()).toContain(SHOWN);
  expect(await row.innerText()).toMatch(
    /<i>ada<\/i>\s+waits for a person \(2 questions\), \d+ days so far\s+begun .*, 1 call/,
  );
  await row.focus();
  await page.keyboard.press("Enter");

  const details = page.getByRole("complementary");
  await details.getByRole("heading", { name: SHOWN }).waitFor();
  const lines = details.getByRole("region", { name: "Time line" }).getByRole("listitem");
  expect(await lines.allTextContents()).toEqual([
    "call 1: files/<b>delete</b>",
    "call 1: a person is asked",
    "call 2: a person is asked",
    "suspended",
  ]);
  const asked = details.getByRole("region", { name: "Question 1" }).getByRole("listitem");
  expect(await asked.allTextContents()).toEqual([`- "files/<b>delete</b>\\u200b": may destroy`, '  "path": "/a"']);
  await details.getByText(`codemode runs ${waiting} --resume`).waitFor();
  expect(await findViolations(page)).toEqual([]);

  // A run that comes in between does not move the focus, and a question that is not confirmed does nothing.
  const over = await keepRun(config, [endedWith({ result: { said: "<b>done\u200b</b>" } })], { script: "over.ts" });
  await page.getByRole("button", { name: over }).waitFor();
  expect(await row.evaluate("document.activeElement.textContent")).toContain(waiting);
  const cancel = details.getByRole("button", { name: "Cancel the run" });
  await cancel.press("Enter");
  await expectDialog(page, "Cancel this run?", "Keep the run");
  await page.keyboard.press("Enter");
  expect(await cancel.evaluate("document.activeElement.textContent")).toBe("Cancel the run");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await details.getByText("ended: RUN_CANCELLED: The run was cancelled").waitFor();
  expect(await row.innerText()).toContain("ended: RUN_CANCELLED");
  const remove = details.getByRole("button", { name: "Remove the run" });
  expect(await remove.evaluate("document.activeElement.textContent")).toBe("Remove the run");
  await page.keyboard.press("Enter");
  await expectDialog(page, "Remove this run?", "Keep the run");
  await page.keyboard.press("Escape");
  expect(await remove.evaluate("document.activeElement.textContent")).toBe("Remove the run");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await details.getByText("Removed.").waitFor();
  await row.waitFor({ state: "detached" });

  await page.getByRole("button", { name: over }).click();
  await details.getByRole("region", { name: "Result of the run" }).getByText('"<b>done\\u200b</b>"').waitFor();
  expect(await cancel.isVisible()).toBe(false);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findViolations(page)).toEqual([]);
  expect(await page.locator("img[src], body script, details b, aside b, aside i").count()).toBe(0);
  expect([messages, await page.title()]).toEqual([[], "codemode"]);
});

test("an opened run follows what happens in it, and gives way to a tool", async () => {
  const sent = [callOf("files", "read")];
  const id = await keepRun(config, sent, { script: "next.ts" });
  await page.getByRole("button", { name: id }).click();
  const details = page.getByRole("complementary");
  await details.getByText("interrupted").waitFor();
  // Another page, or `codemode runs`, cancels it.
  const address = new URL(ui.url);
  const headers = { authorization: `Bearer ${address.hash.slice(1)}`, "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify({ id }) };
  expect((await fetch(new URL("/api/cancel-run", address), request)).status).toBe(200);
  await details.getByText("ended: RUN_CANCELLED", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "filesystem" }).click();
  await page.getByRole("button", { name: /^read_text_file/ }).click();
  await details.getByRole("heading", { name: "read_text_file" }).waitFor();
  expect(await page.locator("[aria-current]").count()).toBe(1);
});

test("the page says why runs cannot be read, and how many are not listed", async () => {
  const context = await browser.newContext();
  const other = await context.newPage();
  const row = { id: "r".repeat(22), script: "<b>x</b>", state: "ended", begun: "begun", hasEnded: true };
  const answers: object[] = [{ rows: [], total: 0, problem: "The store <b>is gone</b>." }];
  await other.route("**/api/runs", (route) => route.fulfill({ json: answers.at(-1) }));
  await other.goto(ui.url);
  await other.getByText("The store <b>is gone</b>.").waitFor();
  answers.push({ rows: [row], total: 7 });
  await other.getByText("The newest 1 are listed.").waitFor();
  expect(await other.locator("#runs summary").innerText()).toMatch(/Durable runs\s+7 runs/);
  await context.close();
});
