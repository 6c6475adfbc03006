// Builds the documentation site into site/dist/www: `npm run docs:build`. DOCS_BASE is the path that it will have on its server.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

const SITE = import.meta.dirname;
const ROOT = join(SITE, "..");
const PAGES = join(SITE, "dist/pages");

if (!existsSync(join(SITE, "node_modules"))) {
  process.stdout.write("Installing what builds the site, once (site/package-lock.json)…\n");
  const options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", options, {
    cwd: SITE,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(1);
}

// Their packages may have been installed only now.
const { generateApi } = await import("./generate-api.js");
const { makeNavigation } = await import("./navigation.js");
const { stagePages } = await import("./stage-pages.js");
const { writeForAgents } = await import("./write-for-agents.js");
const { writeRedirects } = await import("./write-redirects.js");
const { build } = await import("vitepress");

await rm(join(SITE, "dist"), { recursive: true, force: true });
await mkdir(PAGES, { recursive: true });
const texts = new Map([...(await stagePages(ROOT, PAGES)), ...(await generateApi(ROOT, PAGES))]);
await build(SITE);
await writeRedirects(SITE);
const { name, description } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
await writeForAgents(join(SITE, "dist/www"), { title: name, about: description, groups: makeNavigation(ROOT), texts });
