// Makes dist/extras/ui/report/page: the style sheet and the script that go into the page of a report, each as one text.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = join(root, "extras/ui/report/page");
const target = join(root, "dist/extras/ui/report/page");

const STYLES = ["theme.css", "report.css", "timeline.css"];

await mkdir(target, { recursive: true });
const styles = await Promise.all(STYLES.map((file) => readFile(join(sources, file), "utf8")));
await writeText("report.css", styles.map(withoutBlanks).join(""));

const bundle = await rolldown({
  input: join(root, "dist/extras/ui/report/client/main.js"),
  cwd: root,
  platform: "browser",
});
const { output } = await bundle.generate({ format: "iife", minify: true });
await bundle.close();
await writeText("report.js", output[0].code);

/** A text that is put between tags must not end them. */
async function writeText(name, text) {
  if (/<\/|<!--/.test(text)) throw new Error(`${name} holds text that could end its element.`);
  await writeFile(join(target, name), text);
}

function withoutBlanks(css) {
  return css.replaceAll(/\s*\n\s*/g, "\n").trimStart();
}
