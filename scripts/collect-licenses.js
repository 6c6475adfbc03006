import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The licence of every package whose code is in the output of a bundler: each asks for its text to go with the code. */
export async function collectLicenses(chunks) {
  const ids = chunks.flatMap(({ moduleIds = [] }) => moduleIds);
  const folders = new Set(ids.flatMap((id) => id.match(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/g) ?? []));
  const texts = [...folders]
    .toSorted((left, right) => (left < right ? -1 : 1))
    .map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
      const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? "" : await readFile(join(folder, file), "utf8");
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}
