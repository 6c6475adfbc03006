import { existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { installPackages } from "../sets/install-packages.ts";

/** Where Debian's package `chromium` puts it. */
const DEBIAN = "/usr/bin/chromium";

const FOLDER = resolve("test/browser");
const PACKAGE = join(FOLDER, "node_modules/@sparticuz/chromium");

interface PackedBrowser {
  default: { executablePath(): Promise<string> };
}

/** What a browser needs in a container, and what keeps it from asking its maker things on its own. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
];

/** Which browser to open: Debian's where it is installed, otherwise the one that is an npm package. */
export type BrowserSource = "debian" | "npm";

/** Opens a headless Chromium, whose pages keep all of their security. Who opens it closes it; one for a test file is enough. */
export async function openBrowser(source?: BrowserSource): Promise<Browser> {
  return chromium.launch({ executablePath: await findBrowser(source), headless: true, args: FLAGS });
}

/** The program of a browser. */
export async function findBrowser(source: BrowserSource = existsSync(DEBIAN) ? "debian" : "npm"): Promise<string> {
  return source === "debian" ? DEBIAN : unpackBrowser();
}

/**
 * The package unpacks itself into the folder for temporary files, where another test may find half of it. So it is unpacked into a
 * folder of its own, which gets its name when it is whole.
 */
async function unpackBrowser(): Promise<string> {
  await installPackages(FOLDER);
  const manifest = await readFile(join(PACKAGE, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = join(tmpdir(), `codemode-chromium-${version}`);
  if (!existsSync(folder)) {
    const { default: packed } = (await import(
      pathToFileURL(join(PACKAGE, "build/esm/index.js")).href
    )) as PackedBrowser;
    const draft = await mkdtemp(`${folder}-`);
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = draft;
    try {
      await packed.executablePath();
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
    // Another test may have been faster.
    await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
  }
  return join(folder, "chromium");
}
