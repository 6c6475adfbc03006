import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes the repository, its page and its issues into the `package.json` of each folder, as it is published.
 *
 * @returns {() => void} puts the files back as they were
 */
export function nameRepository(root, folders, url) {
  const files = folders.map((folder) => ({ folder, path: join(root, folder, "package.json") }));
  const before = files.map(({ path }) => readFileSync(path, "utf8"));
  for (const [index, { folder, path }] of files.entries()) {
    const repository = { type: "git", url, ...(folder === "." ? {} : { directory: folder }) };
    const page = url.replace(/^git\+/, "").replace(/\.git$/, "");
    const named = { repository, homepage: `${page}#readme`, bugs: { url: `${page}/issues` } };
    writeFileSync(path, `${JSON.stringify({ ...JSON.parse(before[index]), ...named }, null, 2)}\n`);
  }
  return () => {
    for (const [index, { path }] of files.entries()) writeFileSync(path, before[index]);
  };
}
