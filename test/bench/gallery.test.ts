import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
// @ts-expect-error -- the benchmarks are JavaScript
import { makeGallery } from "../../bench/tasks/gallery/write-gallery.js";

test("the gallery has the scripts of the tasks, the figures of the last run, and a picture of each", async () => {
  const page = await readFile("docs/gallery.md", "utf8");
  expect(page).toBe(await makeGallery());
  const pictures = [...page.matchAll(/\(images\/tasks\/([\w-]+\.png)\)/g)].map(([, name = ""]) => name);
  expect(pictures).toHaveLength(10);
  expect(pictures.filter((name) => !existsSync(`docs/images/tasks/${name}`))).toEqual([]);
});
