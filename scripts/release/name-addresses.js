import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes the repository, its page, its issues and, where there is one, the address for funding into the `package.json` of each folder, as it is published.
 *
 * @param {string} root
 * @param {readonly string[]} folders
 * @param {{ repository: string, funding?: string }} addresses
 * @returns {() => void} puts the files back as they were
 */
export function nameAddresses(root, folders, { repository: url, funding }) {
  const files = folders.map((folder) => ({ folder, path: join(root, folder, "package.json") }));
  const before = files.map(({ path }) => readFileSync(path, "utf8"));
  for (const [index, { folder, path }] of files.entries()) {
    const repository = { type: "git", url, ...(folder === "." ? {} : { directory: folder }) };
    const page = url.replace(/^git\+/, "").replace(/\.git$/, "");
    const named = { repository, homepage: `${page}#readme`, bugs: { url: `${page}/issues` } };
    const all = { ...JSON.parse(before[index]), ...named, ...(funding === undefined ? {} : { funding }) };
    writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
  }
  return () => {
    for (const [index, { path }] of files.entries()) writeFileSync(path, before[index]);
  };
}
