// Makes the bill of materials of each package whose code is linked, from what the other steps of the build have listed.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { joinLinked } from "./linked/find-linked.js";
import { BILL, printBill } from "./linked/print-bill.js";
import { listOf } from "./linked/write-linked.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const readJson = async (file) => JSON.parse(await readFile(file, "utf8"));

/** The folder of a package, and the parts of it that are linked. */
const PACKAGES = [
  [".", ["program", "sandbox", "ui-page"]],
  ["openapi", ["openapi"]],
];

for (const [folder, parts] of PACKAGES) {
  const lists = await Promise.all(parts.map((part) => readJson(listOf(root, part))));
  const manifest = await readJson(join(root, folder, "package.json"));
  await writeFile(join(root, folder, "dist", BILL), printBill(manifest, joinLinked(lists.flat())));
}
