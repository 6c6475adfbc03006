import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { printLicenses } from "./find-linked.js";

/** Where each part of the build lists the packages that are linked into it; it is not published. */
export const listOf = (root, part) => join(root, "dist/linked", `${part}.json`);

/**
 * Writes the licences of linked packages beside their code, and lists the packages for the bill of materials.
 *
 * @param {string} root
 * @param {string} part the name of the list
 * @param {string} folder of the code
 * @param {readonly import("./find-linked.js").LinkedPackage[]} packages
 */
export async function writeLinked(root, part, folder, packages) {
  await writeFile(join(folder, "third-party-licenses.txt"), printLicenses(packages));
  await mkdir(join(root, "dist/linked"), { recursive: true });
  const list = packages.map(({ name, version, license }) => ({ name, version, license }));
  await writeFile(listOf(root, part), JSON.stringify(list));
}
