import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findViolations } from "../../browser/find-violations.ts";
import { openBrowser } from "../../browser/open-browser.ts";
import { runCodemode, SERVERS } from "../../e2e/run-codemode.ts";
import { spawnUi } from "./start-ui.ts";

let folder: string;
let ui: Awaited<ReturnType<typeof spawnUi>>;
let browser: Browser;
let page: Page;
const messages: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codemode-test-"));
  [ui, browser] = await Promise.all([spawnUi(folder, UNTRUSTED), openBrowser()]);
  const context = await browser.newContext({ viewport: { width: 400, height: 800 }, reducedMotion: "reduce" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  page = await context.newPage();
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  await page.goto(ui.url);
});
afterAll(async () => {
  await browser?.close();
  expect(await ui?.end()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

const UNTRUSTED = { CODEMODE_TRUST: "" };

test("without a configuration the page says what to type, writes nothing, and the terminal has one line about it", async () => {
  const main = page.getByRole("main");
  await main.getByText(`There is no configuration in ${folder}.`).waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page)).toEqual([]);
  }
  // By keyboard: the first stop is the button of the first command.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await main.getByText("Copied").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("npx codemode init");
  expect(await readdir(folder)).toEqual([]);
  expect(ui.lines.slice(2)).toEqual([`No server in ${folder} yet: the page shows how to add one.`]);
});

async function writeServers(mcpServers: object): Promise<void> {
  await writeFile(join(folder, "codemode.config.json"), JSON.stringify({ mcpServers }));
}

test("it follows the configuration, and starts nothing that this account has not trusted", async () => {
  const main = page.getByRole("main");
  await writeServers({});
  await main.getByText("has no server that can be used yet").waitFor();
  expect(await main.getByText("npx codemode init").count()).toBe(0);
  await writeFile(join(folder, "codemode.config.json"), "{");
  await main.getByRole("alert").getByText("codemode.config.json").waitFor();
  // What came with the folder starts only when this account has agreed to it.
  await writeServers({ memory: SERVERS.memory });
  await main.getByRole("alert").getByText("codemode trust").waitFor();
  expect(await readdir(folder)).toEqual(["codemode.config.json"]);
});

test("it continues as soon as a server is added", async () => {
  const main = page.getByRole("main");
  await writeServers({});
  const { command, args } = SERVERS.filesystem;
  const added = await runCodemode(["add", "files", "--", command, ...args], { cwd: folder, env: UNTRUSTED });
  expect(added).toMatchObject({ code: 0 });
  await page.getByRole("heading", { name: "files", exact: true }).waitFor();
  expect(await main.getByRole("textbox", { name: "Script" }).isVisible()).toBe(true);
  expect([messages, ui.lines.slice(3)]).toEqual([[], [expect.stringContaining("Generating files")]]);
});
