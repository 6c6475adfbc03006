// Removes what an earlier build left in dist/ and no source stands for any more, so that it is neither run nor published.
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The folder of compiled files, and where their sources are. */
const OUTPUTS = [
  ["dist", "."],
  ["runtime/bindings/dist", "."],
  ["openapi/dist", "openapi"],
];

/** What the build makes of something else than a source of the same name. */
const MADE =
  /^(?:program|linked|sandbox|extras\/ui\/report\/page|ui-page)\/|^schemas\/config-check\.js$|^(?:codemode|openapi)\.d\.ts$|^sbom\.cdx\.json$|^runtime\/bindings\/linked\.json$|\.tsbuildinfo$/;

for (const [output, sources] of OUTPUTS) {
  const entries = await readdir(join(root, output), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files) {
    const path = file.slice(join(root, output).length + 1).replaceAll("\\", "/");
    const source = path.replace(/(?:\.d)?\.(?:js|ts)$/, ".ts");
    if (!MADE.test(path) && !existsSync(join(root, sources, source))) await rm(file);
  }
}
