// The states of the page of `codemode ui`.
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { loadConfig } from "../../engine/load-config.ts";
import { askInFolder } from "../../test/extras/durable/ask-in-folder.ts";
import { callOf, endedWith, keepRun } from "../../test/extras/ui/keep-run.ts";
import { COMPLETED, DRY, FAILED, QUESTION, RUN, UNTYPED, WITH_APPROVAL } from "./drafts.js";
import { startUi, writeProject } from "./start-ui.js";
import { nameOf, takeLooks } from "./take-looks.js";

/** The states that the documentation shows: a name there for a state, a scheme and a width here. */
const SHOWN = {
  "ui-run-light": nameOf("page-run", "light", 1280),
  "ui-complete-dark": nameOf("page-complete", "dark", 1280),
  "ui-approval-light": nameOf("page-approval", "light", 1280),
};

/** In this order: what the later ones add to the project stays. States that show something in front of the page are not taken whole. */
const STATES = [
  { name: "page-browse", show: (page) => openTool(page, "filesystem", "read_text_file") },
  { name: "page-search", show: showSearch },
  { name: "page-complete", show: showCompletion, isInFront: true },
  { name: "page-type-error", show: showTypeError },
  { name: "page-run", show: showRun },
  { name: "page-run-failed", show: showFailure },
  { name: "page-dry-run", show: showDryRun },
  { name: "page-approval", show: showApproval, isInFront: true },
  { name: "page-question", show: showQuestion, isInFront: true },
  { name: "page-drift", show: showDrift },
  { name: "page-serve-approvals", show: showServeApprovals },
  { name: "page-durable-run", show: showDurableRun },
  { name: "page-cancel", show: showCancel, isInFront: true },
];

/** @returns the names of all states */
export async function takePageStates(browser, { root, temporary, all, images }) {
  await takeFirstStart(browser, { root, temporary, all });
  const folder = join(temporary, "handbook");
  const project = await writeProject(root, folder);
  const { url, end } = await startUi(root, folder);
  try {
    for (const { name, show, isInFront } of STATES) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
      await page.goto(url);
      await page.getByRole("heading", { name: "filesystem" }).waitFor();
      const restore = await show(page, { folder, ...project });
      await takeLooks(page, { state: name, all, isWhole: isInFront === undefined });
      await restore?.();
      await page.close();
    }
  } finally {
    await end();
  }
  for (const [name, taken] of Object.entries(SHOWN))
    await copyFile(join(all, `${taken}.png`), join(images, `${name}.png`));
  return ["page-first-start", ...STATES.map(({ name }) => name)];
}

async function takeFirstStart(browser, { root, temporary, all }) {
  const folder = join(temporary, "empty/handbook");
  await mkdir(folder, { recursive: true });
  const { url, end } = await startUi(root, folder);
  const page = await browser.newPage();
  await page.goto(url);
  await page.getByRole("heading", { name: "Add a server", exact: true }).waitFor();
  // The pictures are the same on every machine.
  await page.evaluate(`document.querySelector("#first-start-place code").textContent = "/home/ada/handbook"`);
  await takeLooks(page, { state: "page-first-start", all, isWhole: true });
  await page.close();
  await end();
}

async function showSearch(page) {
  await page.getByRole("searchbox").fill("read a file");
  await page.getByText(/tools found$/).waitFor();
}

async function showCompletion(page) {
  await openTool(page, "filesystem", "move_file");
  await write(page, COMPLETED);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("{ ");
  await page.getByRole("option", { name: /^head/ }).waitFor();
  // Right after it has opened, the list does not take keys yet.
  await page.waitForTimeout(300);
  await page.keyboard.press("ArrowDown");
  await page.locator(".cm-completionInfo").waitFor();
}

async function showTypeError(page) {
  await openTool(page, "filesystem", "read_text_file");
  await write(page, UNTYPED);
  await page.locator(".cm-lintRange-error").first().waitFor();
}

async function showRun(page) {
  await openTool(page, "filesystem", "read_text_file");
  await write(page, RUN);
  await page.getByText("May call").waitFor();
  // The first run starts the servers.
  for (let times = 0; times < 2; times += 1) await run(page, /^Finished/);
  await showCalls(page);
}

async function showFailure(page) {
  await openTool(page, "filesystem", "read_text_file");
  await write(page, FAILED);
  await run(page, /^Failed/);
}

async function showDryRun(page) {
  await openTool(page, "memory", "create_entities");
  await write(page, DRY);
  await page.getByText("May call").waitFor();
  await page.getByRole("checkbox", { name: "Dry run" }).check();
  await run(page, /^Finished/);
  await showCalls(page);
}

async function showApproval(page) {
  await openTool(page, "memory", "create_entities");
  await write(page, WITH_APPROVAL);
  await page.getByText("May call memory/create_entities").waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog").waitFor();
}

async function showQuestion(page) {
  await write(page, QUESTION);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog").waitFor();
}

async function showDrift(page, { changeTickets }) {
  await changeTickets();
  await page.getByRole("heading", { name: "tickets" }).click();
  await page.getByRole("button", { name: "About this server" }).last().click();
  await page.getByRole("button", { name: "Compare with the live server" }).click();
  await page.getByText(/^\d changes?\. /).waitFor();
}

async function showServeApprovals(page, { folder }) {
  const until = Date.now() + 600_000;
  const lines = ["memory/create_entities: may change something", "memory/create_relations: may change something"];
  const call = ['"memory/delete_entities": may destroy', '  "entityNames": ["draft"]'];
  const asked = [
    await askInFolder({ lines, until }, { project: folder, client: "claude-code" }),
    await askInFolder({ call: 1, lines: call, until }, { project: folder, client: "ci" }),
  ];
  await page.getByRole("region", { name: "Runs that wait for your approval" }).getByText("entityNames").waitFor();
  return () => Promise.all(asked.map(({ end }) => end()));
}

async function showDurableRun(page, { folder }) {
  const config = await loadConfig({ cwd: folder });
  const lines = ['"tickets/add_comment": may change something', '  "ticket": "DOCS-12"', '  "text": "Done."'];
  const read = { ...callOf("tickets", "list_tickets"), call: 1 };
  const ended = [read, { kind: "sent", call: 1 }, endedWith({ result: { open: 3 } })];
  await keepRun(config, ended, { script: "count-tickets.ts", client: "claude-code" });
  const asked = { ...callOf("tickets", "add_comment"), call: 2 };
  const steps = [read, { kind: "sent", call: 1 }, asked, { kind: "asked", call: 2, digest: "d", lines }];
  await keepRun(config, [...steps, { kind: "suspended", usedMs: 5 }], { script: "close-tickets.ts" });
  await page.getByRole("button", { name: /close-tickets/ }).click();
  await page.getByRole("complementary").getByRole("heading", { name: "close-tickets.ts" }).waitFor();
}

async function showCancel(page) {
  await page.getByRole("button", { name: /close-tickets/ }).click();
  await page.getByRole("button", { name: "Cancel the run" }).click();
  await page.getByRole("dialog").waitFor();
}

async function run(page, outcome) {
  const begun = page.waitForResponse(/run$/);
  await page.getByRole("button", { name: /^Run/ }).click();
  await begun;
  await page.getByText(outcome).waitFor();
}

function showCalls(page) {
  return page.evaluate('document.getElementById("calls").scrollIntoView()');
}

async function openTool(page, server, name) {
  await page.getByRole("heading", { name: server, exact: true }).click();
  await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
  await page.getByRole("complementary").getByRole("heading", { name }).waitFor();
}

async function write(page, code) {
  await page.getByRole("textbox", { name: "Script" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(code);
}
