// Scores the tasks and the mistakes without a model: `npm run bench:tasks`. It needs a build; `--write` writes RESULTS.md and results.json beside it,
// and docs/gallery.md; `--pictures` takes the pictures of that page.
import { writeFile } from "node:fs/promises";
import { format } from "oxfmt";
import { formatMarkdown } from "../../scripts/readme/format-markdown.js";
import { takePictures } from "./gallery/take-pictures.js";
import { writeGallery } from "./gallery/write-gallery.js";
import { openTasks } from "./score/open-tasks.js";
import { printResults } from "./score/print-results.js";
import { readTasks } from "./score/read-tasks.js";
import { scoreAll } from "./score/score-all.js";

const opened = await openTasks();
try {
  const tasks = await readTasks();
  const results = await scoreAll(opened, tasks);
  const text = await formatMarkdown(printResults(results));
  process.stdout.write(text);
  for (const { id, missing, text: answer } of results.mistakes) {
    if (missing !== undefined) process.stderr.write(`${id}: no ${missing.join(", ")} in ${answer.slice(0, 2000)}\n`);
  }
  if (process.argv.includes("--write")) {
    await writeFile(new URL("RESULTS.md", import.meta.url), text);
    await writeFile(
      new URL("results.json", import.meta.url),
      (await format("results.json", JSON.stringify(results), { printWidth: 120 })).code,
    );
    await writeGallery();
  }
  if (process.argv.includes("--pictures")) await takePictures(opened, tasks);
} finally {
  await opened.close();
}
