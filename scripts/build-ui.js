// Makes dist/ui-page: the page of `codemode ui` as one script, one style sheet and what holds them, with the licences of what is in it.
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { findLinked } from "./linked/find-linked.js";
import { writeLinked } from "./linked/write-linked.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "dist/ui-page");

/** Colours and time line are the report's. */
const STYLES = ["extras/ui/report/page/theme.css", "extras/ui/report/page/timeline.css", "extras/ui/page/page.css"];

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
const bundle = await rolldown({ input: join(root, "dist/extras/ui/page/main.js"), cwd: root, platform: "browser" });
const { output } = await bundle.write({ file: join(target, "page.js"), format: "esm", minify: true });
await bundle.close();
const styles = await Promise.all(STYLES.map((file) => readFile(join(root, file), "utf8")));
await writeFile(join(target, "page.css"), styles.join("\n").replaceAll(/\s*\n\s*/g, "\n"));
for (const file of ["index.html", "icon.svg"]) await copyFile(join(root, "extras/ui/page", file), join(target, file));
await writeLinked(root, "ui-page", target, await findLinked(root, output));
