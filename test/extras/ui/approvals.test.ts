import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { setPassphrase } from "../../../engine/approval-secret.ts";
import { loadConfig } from "../../../engine/load-config.ts";
import type { Step } from "../../../schemas/run/durable-run.ts";
import { askInFolder } from "../durable/ask-in-folder.ts";
import { callOf, keepRun } from "./keep-run.ts";
import { findViolations } from "../../browser/find-violations.ts";
import { openBrowser } from "../../browser/open-browser.ts";
import { type StartedUi, startUi } from "./start-ui.ts";

let ui: StartedUi;
let browser: Browser;
const PASSPHRASE = "correct horse";

beforeAll(async () => {
  await setPassphrase(PASSPHRASE);
  [ui, browser] = await Promise.all([startUi(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  expect(await ui.end()).toBe(0);
});

/** What the page sends, and what it gets. */
async function ask(route: string, request: object): Promise<[number, unknown]> {
  const address = new URL(ui.url);
  const headers = { authorization: `Bearer ${address.hash.slice(1)}`, "content-type": "application/json" };
  const response = await fetch(new URL(`/api/${route}`, address), {
    ...{ method: "POST", headers, body: JSON.stringify(request) },
  });
  return [response.status, await response.json()];
}

/** A question about a script of this project, or of another one. */
async function askAboutScript(lines: string[], { script = [] as string[], project = ui.folder, client = "" } = {}) {
  const asked = await askInFolder({ lines, whole: [...lines, ...script] }, { project, ...(client && { client }) });
  onTestFinished(() => asked.end());
  return asked;
}

/** One about a call. */
async function askAboutCall(lines: string[], whole = lines) {
  const asked = await askInFolder(
    { about: "call", call: 1, lines, whole, tools: ["memory/delete_relations"] },
    { project: ui.folder },
  );
  onTestFinished(() => asked.end());
  return asked;
}

test("the page shows the approvals that runs of serve in this project wait for, and answers them", async () => {
  const client = "<b>one</b>";
  const script = ["  its program: sha256-x", "  | await create_entities(\u202e);"];
  const ofProject = await askAboutScript(["memory/create_entities"], { client, script });
  const ofOther = await askAboutScript(["other/tool"], { project: "/elsewhere" });
  const page = await browser.newPage({ reducedMotion: "reduce" });
  await page.goto(ui.url);

  const waiting = page.getByRole("region", { name: "Runs that wait for your approval" });
  await waiting.getByText("memory/create_entities").waitFor();
  expect(await waiting.innerText()).toContain('A script of the client "<b>one</b>" asks');
  expect(await page.getByText("other/tool").count()).toBe(0);
  await waiting.getByText("The script, its input and its digest").click();
  const code = waiting.getByRole("region", { name: "The script" });
  expect(await code.innerText()).toBe("  its program: sha256-x\n  | await create_entities(\\u202e);");
  expect(await findViolations(page)).toEqual([]);

  const given = { decision: "allow", text: "", passphrase: PASSPHRASE };
  const [status] = await ask("approve", { id: ofOther.id, digest: await ofOther.digest(), ...given });
  expect([status, await ofOther.answer()]).toEqual([404, undefined]);

  const send = waiting.getByRole("button", { name: "Answer" });
  await send.click();
  await waiting.getByText("Choose what is to happen.").waitFor();
  const decision = waiting.getByLabel("Your answer");
  expect(await decision.getByRole("option").allInnerTexts()).toEqual([
    "Choose",
    "Allow it in this run",
    "Do not allow it; the text is the reason",
  ]);
  await decision.selectOption("Allow it in this run");
  await waiting.getByLabel("Your passphrase for approvals").fill("a guess");
  await send.click();
  await waiting.getByText("The passphrase is wrong.").waitFor();
  await waiting.getByLabel("Your passphrase for approvals").fill(PASSPHRASE);
  await send.press("Enter");
  // It is written when the page shows it no more: the passphrase alone takes a second of processor time.
  await waiting.waitFor({ state: "hidden" });
  expect(await ofProject.answer()).toEqual({ verdict: "granted", by: { way: "page" } });
  expect(await page.locator(":focus").getAttribute("id")).toBe("script");
  await page.close();
});

test("a call that waits is shown with its arguments whole, and is made with others from the page", async () => {
  const lines = ['- "memory/delete_relations": may destroy', '  "relations": []'];
  const call = await askAboutCall(lines.slice(0, 1), lines);
  const page = await browser.newPage({ reducedMotion: "reduce" });
  await page.goto(ui.url);
  const waiting = page.getByRole("region", { name: "Runs that wait for your approval" });
  await waiting.getByText("A script asks to make this call:").waitFor();
  expect(await waiting.innerText()).toContain('"relations": []');
  const passphrase = waiting.getByLabel("Your passphrase for approvals");
  await waiting.getByLabel("Your answer").selectOption("refuse");
  expect(await passphrase.isVisible()).toBe(false);
  await waiting.getByLabel("Your answer").selectOption("change");
  await passphrase.fill(PASSPHRASE);
  await waiting.getByLabel("Text").fill("no object");
  await waiting.getByRole("button", { name: "Answer" }).click();
  await waiting.getByText("The text is no JSON object").waitFor();
  await waiting.getByLabel("Text").fill('{"relations":[{"from":"a"}]}');
  expect(await findViolations(page)).toEqual([]);
  await waiting.getByRole("button", { name: "Answer" }).click();
  await waiting.waitFor({ state: "hidden" });
  expect(await call.answer()).toEqual({
    verdict: "changed",
    input: { relations: [{ from: "a" }] },
    by: { way: "page" },
  });
  await page.close();
});

test.each([
  [1280, 800],
  [400, 800],
])("the answer to a long question is seen without scrolling, %i pixels wide", async (width, height) => {
  const lines = Array.from({ length: 18 }, (_, at) => `    before: "the words of a server, number ${at}"`);
  await askAboutCall(lines);
  const page = await browser.newPage({ reducedMotion: "reduce", viewport: { width, height } });
  await page.goto(ui.url);
  const waiting = page.getByRole("region", { name: "Runs that wait for your approval" });
  expect((await waiting.getByRole("group", { name: "The question" }).innerText()).split("\n")).toEqual(lines);
  const panel = await waiting.boundingBox();
  for (const shown of [waiting.getByLabel("Your answer"), waiting.getByRole("button", { name: "Answer" })]) {
    const box = await shown.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual((panel?.y ?? 0) + (panel?.height ?? 0));
  }
  await page.close();
});

test.each([
  ["allow-for-run", "", { verdict: "granted", forRun: true }],
  ["refuse", "not in this folder", { verdict: "refused", reason: "not in this folder" }],
  ["answer", '{"deleted":0}', { verdict: "answered", result: { deleted: 0 } }],
])("the page answers a call with %s, once, and says that it was the page", async (decision, text, answered) => {
  const lines = ['- "memory/delete_relations": may destroy'];
  const call = await askAboutCall(lines);
  const passphrase = decision === "refuse" ? "" : PASSPHRASE;
  const answer = { id: call.id, digest: await call.digest(), decision, text, passphrase };
  expect(await ask("approve", { ...answer, digest: "sha256-another" })).toMatchObject([
    409,
    { error: { message: "Another question is asked now: read it, and answer again." } },
  ]);
  expect(await ask("approve", answer)).toEqual([200, {}]);
  expect(await ask("approve", answer)).toEqual([200, {}]);
  expect(await ask("approve", { ...answer, decision: "refuse", text: "something else" })).toMatchObject([
    409,
    { error: { message: "It has another answer already." } },
  ]);
  expect(await call.answer()).toEqual({ ...answered, by: { way: "page" } });
  await call.end();
  expect((await ask("approve", answer))[0]).toBe(404);
});

test("the call of a durable run that waits in its log is on the page, and its answer is left for the run", async () => {
  const config = await loadConfig({ cwd: ui.folder });
  const lines = ['- "memory/delete_relations": may destroy'];
  const asked: Step = {
    kind: "asked",
    about: "call",
    call: 1,
    digest: "sha256-x",
    nonce: "n",
    lines,
    whole: [...lines, '  "relations": []'],
  };
  const waiting: Step[] = [callOf("memory", "delete_relations"), asked, { kind: "suspended", usedMs: 1, at: 0 }];
  const id = `${await keepRun(config, waiting, { project: ui.folder, script: "night.ts" })}.1`;
  const page = await browser.newPage({ reducedMotion: "reduce" });
  await page.goto(ui.url);
  const region = page.getByRole("region", { name: "Runs that wait for your approval" });
  await region.getByText('"relations": []').waitFor();
  const [, rows] = await ask("approvals", {});
  const digest = (rows as { id: string; digest: string }[]).find((row) => row.id === id)?.digest;
  await region.getByLabel("Your answer").selectOption("answer");
  await region.getByLabel("Text").fill('{"deleted":0}');
  await region.getByLabel("Your passphrase for approvals").fill(PASSPHRASE);
  await region.getByRole("button", { name: "Answer" }).click();
  await region.waitFor({ state: "hidden" });
  await page.close();
  // The answer of the page waits for the process that goes on with the run.
  const answer = { id, digest, decision: "answer", text: '{"deleted":0}', passphrase: PASSPHRASE };
  expect(await ask("approve", answer)).toEqual([200, {}]);
  expect((await ask("approve", { ...answer, text: '{"deleted":1}' }))[0]).toBe(409);
  expect((await ask("cancel-run", { id: id.slice(0, -2) }))[0]).toBe(200);
});

test("what is no answer to the question is refused with the reason", async () => {
  const script = await askAboutScript(["memory/create_entities"]);
  const given = { decision: "change", text: "{}", passphrase: PASSPHRASE };
  const answer = { id: script.id, digest: await script.digest(), ...given };
  expect(await ask("approve", answer)).toMatchObject([
    400,
    { error: { message: "This approval is for a whole script: allow or refuse it." } },
  ]);
});

test("what is typed stays, with the focus, while another approval comes and goes", async () => {
  await askAboutScript(["memory/create_entities"]);
  const page = await browser.newPage({ reducedMotion: "reduce" });
  await page.goto(ui.url);
  const waiting = page.getByRole("region", { name: "Runs that wait for your approval" });
  await waiting.getByLabel("Your answer").selectOption("allow");
  const passphrase = waiting.getByLabel("Your passphrase for approvals").first();
  await passphrase.focus();
  await page.keyboard.type("half of");
  const other = await askAboutScript(["memory/delete_entities"]);
  await waiting.getByText("memory/delete_entities").waitFor();
  await other.end();
  await waiting.getByText("memory/delete_entities").waitFor({ state: "detached" });
  await page.keyboard.type(" it");
  expect(await passphrase.inputValue()).toBe("half of it");
  await page.close();
});
