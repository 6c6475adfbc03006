// Links what tsc compiled of openapi/, and the packages that it needs, into openapi/dist/program: the command and the library, with one chunk for both.
// They stay ES modules: the command is a server that starts once.
import { chmod, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { breakLines } from "./break-lines.js";
import { findLinked, noteVendored } from "./linked/find-linked.js";
import { shareAjv } from "./linked/share-ajv.js";
import { writeLinked } from "./linked/write-linked.js";
import { toAscii } from "./to-ascii.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiled = join(root, "openapi/dist");
const target = join(compiled, "program");

await rm(target, { recursive: true, force: true });
const { plugin, found } = noteVendored();
const bundle = await rolldown({
  input: { main: join(compiled, "main.js"), server: join(compiled, "server.js") },
  cwd: root,
  platform: "node",
  external: isBuiltin,
  // Some packages have ES modules beside a form that loads its parts by computed names, which cannot be linked.
  resolve: { mainFields: ["module", "main"] },
  plugins: [shareAjv, plugin],
  onLog: refuse,
});
const { output } = await bundle.write({
  dir: target,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  // Names stay, for stacks that can be read; comments and blanks go.
  minify: { compress: false, mangle: false },
});
await bundle.close();
for (const { fileName, code } of output) await writeFile(join(target, fileName), toAscii(breakLines(code, "module")));
await writeLinked(root, "openapi", target, await findLinked(root, output, found));
// npm makes it executable when it installs the package; a link to a clone needs it too.
await chmod(join(target, "main.js"), 0o755);

/** What cannot be found would be missing for users. */
function refuse(level, log) {
  if (level === "warn") throw new Error(log.message);
}
