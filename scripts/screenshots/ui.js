// The pictures of `codemode ui`: a run with its time line in light, and completion in dark.
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const VIEW = { width: 1440, height: 920 };

const RUN = `import { get_sum } from "@codemode/servers/everything";
import { list_directory, read_text_file } from "@codemode/servers/filesystem";

const { content } = await list_directory({ path: "docs" });
const pages = content.split("\\n").filter((line) => line.endsWith(".md"));
console.log("pages", pages.length);

const [page, ...sums] = await Promise.all([
  read_text_file({ path: "docs/scripts.md", heads: 3 }),
  ...[1, 2, 3].map((n) => get_sum({ a: n, b: n })),
]);
export default { first: page.content.slice(0, 50), sums };
`;

const BEGUN = `import { read_text_file } from "@codemode/servers/filesystem";

const page = await read_text_file();
`;

const SHOTS = [
  { name: "ui-run-light", colorScheme: "light", show: showRun },
  { name: "ui-complete-dark", colorScheme: "dark", show: showCompletion },
  { name: "ui-approval-light", colorScheme: "light", show: showConsent },
];

/** Serves the page for this repository's own servers, with a policy that says more than yes, and puts pictures of it into a folder. */
export async function takeUiShots(browser, { root, images }) {
  const folder = join(await mkdtemp(join(tmpdir(), "codemode-screenshots-")), "handbook");
  const { url, end } = await startUi(root, await makeProject(root, folder));
  try {
    for (const { name, colorScheme, show } of SHOTS) {
      const page = await browser.newPage({ viewport: VIEW, colorScheme, reducedMotion: "reduce" });
      await page.goto(url);
      await page.getByRole("heading", { name: "filesystem" }).waitFor();
      await show(page);
      await page.screenshot({ path: join(images, `${name}.png`) });
      await page.close();
    }
  } finally {
    await end();
    await rm(join(folder, ".."), { recursive: true, force: true });
  }
}

async function showRun(page) {
  await openTool(page, "filesystem", "read_text_file");
  await write(page, RUN);
  await page.locator(".cm-lintRange-warning").waitFor();
  // The first run starts the servers.
  for (let times = 0; times < 2; times += 1) {
    const begun = page.waitForResponse(/run$/);
    await page.keyboard.press("Control+Enter");
    await begun;
    await page.getByText(/^Finished/).waitFor();
  }
  await page.locator("#calls").scrollIntoViewIfNeeded();
  await page.evaluate('document.getElementById("calls").scrollIntoView()');
}

async function showCompletion(page) {
  await openTool(page, "filesystem", "move_file");
  await write(page, BEGUN);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("{ ");
  await page.getByRole("option", { name: /^head/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator(".cm-completionInfo").waitFor();
}

async function showConsent(page) {
  await openTool(page, "memory", "create_entities");
  await write(
    page,
    'import { create_entities } from "@codemode/servers/memory";\n\nexport default await create_entities({ entities: [] });\n',
  );
  await page.getByText("May call memory/create_entities").waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog").waitFor();
}

async function openTool(page, server, name) {
  await page.getByRole("heading", { name: server }).click();
  const tool = page.getByRole("button", { name: new RegExp(`^${name}`) });
  await tool.click();
  await page.getByRole("complementary").getByRole("heading", { name }).waitFor();
}

async function write(page, code) {
  await page.getByRole("textbox", { name: "Script" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(code);
}

/** A project with the documentation in it. */
async function makeProject(root, folder) {
  await mkdir(folder);
  await cp(join(root, "docs"), join(folder, "docs"), { recursive: true });
  const server = (name, ...args) => ({
    command: process.execPath,
    args: [join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
  });
  const config = {
    mcpServers: {
      everything: server("everything", "stdio"),
      filesystem: server("filesystem", "."),
      memory: { ...server("memory"), env: { MEMORY_FILE_PATH: "${workspaceFolder}/memory.jsonl" } },
    },
    policy: { ask: ["memory/create_*"], deny: ["filesystem/move_file"] },
  };
  await writeFile(join(folder, "codemode.config.json"), JSON.stringify(config));
  return folder;
}

async function startUi(root, cwd) {
  const words = [join(root, "dist/cli/main.js"), "ui", "--no-open", "--trust"];
  const child = spawn(process.execPath, words, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((settle) => child.once("close", settle));
  const url = await new Promise((settle, fail) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const found = /http:\S+/.exec(line)?.[0];
      if (found !== undefined) settle(found);
    });
    void ended.then((code) => fail(new Error(`codemode ui ended with ${code}`)));
  });
  return {
    url,
    end() {
      child.kill("SIGINT");
      return ended;
    },
  };
}
