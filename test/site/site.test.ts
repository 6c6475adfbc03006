import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import { join, posix, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findViolations } from "../browser/find-violations.ts";
import { openBrowser } from "../browser/open-browser.ts";
import { QUESTIONS } from "./questions.ts";
import { openSearchIndex } from "./search-index.ts";
import { serveFolder } from "./serve-folder.ts";

const SITE = resolve("site/dist/www");

/** Bar and sidebar are the same on all pages. */
const SHELL = [".VPNav", ".VPSidebar"];

/** Former names of pages, and the links that they lead to. */
const REDIRECTS = JSON.parse(readFileSync("site/redirects.json", "utf8")) as { [name: string]: string };
const LEFT_OUT = new Set(["404.html", ...Object.keys(REDIRECTS).map((name) => `${name}.html`)]);

/** The HTML of every page by its file, without the one for missing pages, and pages that only lead to another one. */
let pages: Map<string, string>;
let server: Server;
let address: string;
let browser: Browser;
beforeAll(async () => {
  // What is installed is enough: nothing answers at this registry.
  const env = { ...process.env, npm_config_registry: "http://127.0.0.1:9/" };
  const build = promisify(execFile)(process.execPath, ["site/build.js"], { env });
  [browser] = await Promise.all([openBrowser(), build]);
  ({ server, address } = await serveFolder(SITE));
  const files = listFiles().filter((name) => name.endsWith(".html") && !LEFT_OUT.has(name));
  pages = new Map(await Promise.all(files.map(async (name) => [name, await readSite(name)] as const)));
}, 120_000);
afterAll(async () => {
  server.close();
  await browser.close();
});

function listFiles(): string[] {
  return readdirSync(SITE, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
}

function readSite(name: string): Promise<string> {
  return readFile(join(SITE, name), "utf8");
}

function htmlOf(name: string): string {
  return pages.get(name) as string;
}

test("every page of docs/ is on the site, and the navigation names every page", () => {
  const written = readdirSync("docs").filter((name) => name.endsWith(".md") && name !== "README.md");
  expect(written.filter((name) => !pages.has(name.replace(/md$/, "html")))).toEqual([]);
  const linked = new Set(valuesOf(htmlOf("cli.html"), "href").map((link) => link.slice(1) || "index.html"));
  expect([...pages.keys()].filter((name) => !linked.has(name))).toEqual([]);
});

test("every link of every page leads to a file of the site, and to an anchor of it", () => {
  const anchors = new Map([...pages].map(([name, html]) => [name, new Set(valuesOf(html, "id"))]));
  const isThere = (page: string, link: string): boolean => {
    const [path = "", anchor] = decodeURI(link).split("#");
    const target = path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(page), path);
    const file = path === "" ? page : target;
    const name = file === "" || file.endsWith("/") ? posix.join(file, "index.html") : file;
    if (!existsSync(join(SITE, name))) return false;
    return anchor === undefined || anchors.get(name)?.has(anchor) === true;
  };
  const links = [...pages].flatMap(([name, html]) =>
    [...valuesOf(html, "href"), ...valuesOf(html, "src")]
      .filter((link) => !/^[a-z][a-z+.-]*:/.test(link))
      .map((link) => ({ name, link })),
  );
  expect(links.length).toBeGreaterThan(3000);
  expect(links.filter(({ name, link }) => !isThere(name, link))).toEqual([]);
});

/** The values of an attribute in a text of HTML. */
function valuesOf(html: string, attribute: string): string[] {
  return [...html.matchAll(new RegExp(`<[a-z][^>]*? ${attribute}="([^"]*)"`, "g"))].map(([, value]) =>
    (value as string).replaceAll("&amp;", "&"),
  );
}

test("a former page leads to where its text is now", async () => {
  for (const [name, link] of Object.entries(REDIRECTS)) {
    const [file = "", anchor] = link.split("#");
    expect(await readSite(`${name}.html`), name).toContain(`url=./${link}"`);
    expect(pages.has(file), link).toBe(true);
    if (anchor !== undefined) expect(valuesOf(htmlOf(file), "id"), link).toContain(anchor);
  }
});

/** Of a page and the styles that it needs to be read, as a server sends them: compressed, without pictures. */
const MOST_BYTES = 100_000;

test("every page is light, and takes no font", () => {
  const weightOf = (name: string): number => gzipSync(readFileSync(join(SITE, name))).length;
  const tooHeavy = [...pages].filter(([name, html]) => {
    const styles = valuesOf(html, "href").filter((link) => link.endsWith(".css"));
    return weightOf(name) + styles.reduce((sum, link) => sum + weightOf(link), 0) > MOST_BYTES;
  });
  expect(tooHeavy.map(([name]) => name)).toEqual([]);
  expect(listFiles().filter((name) => /\.(?:woff2?|ttf)$/.test(name))).toEqual([]);
});

test("a page of the first shelf leads to the others by a click only", () => {
  const html = htmlOf("approvals.html");
  expect(html.match(/<details[^>]*>/g)).toHaveLength(3);
  expect(html).not.toMatch(/<details[^>]* open/);
  expect(htmlOf("cli.html").match(/<details[^>]* open/g)).toHaveLength(1);
  expect(htmlOf("troubleshooting.html")).not.toContain("pager-link next");
  expect(htmlOf("serving-over-http.html")).not.toContain("pager-link prev");
});

test("agents find an index, all pages in one file, and the Markdown of each page", async () => {
  const index = await readSite("llms.txt");
  const named = [...index.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, name]) => name as string);
  const markdown = listFiles().filter((name) => name.endsWith(".md"));
  expect(markdown.map((name) => name.replace(/md$/, "html")).toSorted()).toEqual([...pages.keys()].toSorted());
  expect(new Set(named)).toEqual(new Set(markdown.filter((name) => name !== "all-pages.md")));
  const whole = await readSite("llms-full.txt");
  for (const name of named) expect(whole).toContain((await readSite(name)).trim());
  expect(await readSite("cli.md")).toContain("](./errors.md");
});

test("the schemas and the reference of both packages are there", async () => {
  for (const name of ["config.schema.json", "lockfile.schema.json"]) {
    expect(await readSite(`schemas/${name}`)).toBe(await readFile(join("schemas", name), "utf8"));
  }
  expect(htmlOf("api/codemode.html")).toContain('id="openproject"');
  expect(htmlOf("api/runtime-connect.html")).toContain('id="connect"');
});

test("without JavaScript a page has its text and its navigation", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${address}/index.html`);
  await page.locator(".VPSidebar summary").getByText("Reference").click();
  await page.locator(".VPSidebar").getByRole("link", { name: "The lockfile" }).click();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("The lockfile");
  expect(await page.locator(".vp-doc").innerText()).toContain("lockfileVersion");
  await page.setViewportSize({ width: 360, height: 640 });
  await page.locator(".page-links").getByRole("link", { name: "All pages" }).click();
  await page.locator(".vp-doc").getByRole("link", { name: "Glossary" }).click();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("Glossary");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
});

test("search finds a page by a word of it, and the bar has dark mode and versions", async () => {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(address);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox").fill("LOCKFILE_OUTDATED");
  await page.locator(".results a").first().waitFor();
  expect(await page.locator(".results a").first().getAttribute("href")).toContain("errors.html#lockfile_outdated");
  await page.keyboard.press("Escape");
  await page.locator(".VPNavBarAppearance button").click();
  expect(await page.evaluate("document.documentElement.classList.contains('dark')")).toBe(true);
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  await page.getByRole("button", { name: `v${version}` }).hover();
  await page.getByRole("link", { name: "All versions" }).click();
  await page.getByRole("heading", { level: 1, name: "Supported versions" }).waitFor();
});

test("search finds, first or second, the page for each question", async () => {
  expect(Object.keys(QUESTIONS).length).toBeGreaterThanOrEqual(40);
  const search = await openSearchIndex();
  const missed = Object.entries(QUESTIONS).flatMap(([words, page]) => {
    const found = search(words).slice(0, 2);
    return found.some((link) => link.split("#")[0] === page) ? [] : [{ words, page, found }];
  });
  expect(missed).toEqual([]);
});

test.each(["express", "approvals"])("the box of the search shows for %s what the index finds", async (words) => {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(address);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox").fill(words);
  const found = page.locator(".results a");
  await found.first().waitFor();
  const links = await Promise.all((await found.all()).map((link) => link.getAttribute("href")));
  const search = await openSearchIndex();
  expect(links.slice(0, 2).map((link) => link?.replace(/^\//, ""))).toEqual(search(words).slice(0, 2));
});

test("the first page lacks no resource, and its first commands are read without a scroll", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  onTestFinished(() => page.close());
  const missing: string[] = [];
  page.on("response", (response) => void (response.ok() || missing.push(response.url())));
  await page.goto(address, { waitUntil: "networkidle" });
  expect(missing).toEqual([]);
  const [width, room] = await page
    .locator(".vp-doc pre")
    .first()
    .evaluate((block) => [block.scrollWidth, block.clientWidth] as const);
  expect(width).toBeLessThanOrEqual(room);
});

test("older versions are in the menu, each in a folder of its own", async () => {
  const { makeVersionMenu } = (await import(resolve("site/navigation.js"))) as {
    makeVersionMenu: (current: string, older: string[]) => { text: string; items: { link: string }[] };
  };
  const { text, items } = makeVersionMenu("0.3.0", ["0.2", "0.1"]);
  expect([text, ...items.map(({ link }) => link)]).toEqual(["v0.3.0", "/v0.2/", "/v0.1/", "/versions"]);
});

const isOfReference = (name: string): boolean => name.startsWith("api/");

/** Both themes of a page at once: a page takes long to load. */
test.each([
  ["of the guide from A to D", (name: string) => !isOfReference(name) && name < "e"],
  ["of the guide from E to N", (name: string) => !isOfReference(name) && name >= "e" && name < "o"],
  ["of the guide from O to Z", (name: string) => !isOfReference(name) && name >= "o"],
  ["of the reference of the packages", isOfReference],
])(
  "axe finds nothing wrong on any page %s, in light and in dark",
  async (_, isOfThese) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
    onTestFinished(() => context.close());
    const found: string[] = [];
    const visit = async (left: string[], without: string[]): Promise<void> => {
      const page = await context.newPage();
      for (let name = left.pop(); name !== undefined; name = left.pop()) {
        await page.goto(`${address}/${name}`);
        const inLight = await findViolations(page, { without });
        await page.evaluate("document.documentElement.classList.add('dark')");
        // A theme changes colours alone, and where they lie on each other light has shown.
        const inDark = await findViolations(page, { without, rules: ["color-contrast"], eachLookOnce: true });
        found.push(...inLight.map((violation) => `${name}: ${violation}`));
        found.push(...inDark.map((violation) => `${name} in dark: ${violation}`));
      }
    };
    await visit(["index.html"].filter(isOfThese), []);
    // A script changes nothing that is looked at, and takes as long as the rest of a page.
    await context.route("**/*.js", (route) => route.abort());
    const left = [...pages.keys()].filter(isOfThese);
    expect(left.length).toBeGreaterThan(1);
    await Promise.all([visit(left, SHELL), visit(left, SHELL)]);
    expect(found).toEqual([]);
  },
  120_000,
);
