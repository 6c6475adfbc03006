// Makes dist/codemode.d.ts and openapi/dist/openapi.d.ts: the declarations of a public API in one file, from the ones that tsc wrote. What is not public is
// neither in it nor published.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

const root = fileURLToPath(new URL("..", import.meta.url));

const runtime = JSON.parse(readFileSync(`${root}runtime/bindings/package.json`, "utf8"));

await joinDeclarations("dist/library/index.d.ts", {
  file: "dist/codemode.d.ts",
  // For `await using`: projects may not name that library.
  banner: '/// <reference lib="esnext.disposable" />',
});
await joinDeclarations("openapi/dist/server.d.ts", { file: "openapi/dist/openapi.d.ts" });

async function joinDeclarations(input, { file, ...options }) {
  const bundle = await rollup({
    input: root + input,
    plugins: [{ name: "runtime-declarations", resolveId: findInRuntime }, dts()],
    onLog: refuse,
  });
  const { output } = await bundle.write({ ...options, file: root + file });
  await bundle.close();
  const { imports } = output[0];
  if (imports.length > 0) throw new Error(`${file} imports ${imports.join(", ")}, which a user may not have.`);
}

/** What stays unresolved belongs to declarations that nothing public needs: they are not in the file. */
function refuse(level, log) {
  if (level === "warn" && log.code !== "UNRESOLVED_IMPORT") throw new Error(log.message);
}

/** What the runtime declares becomes part of the file, which needs no other package then. */
function findInRuntime(id) {
  if (!id.startsWith(`${runtime.name}/`)) return null;
  const place = id.replace(runtime.name, ".");
  const types = runtime.exports[place]?.types ?? `${place.replace("./connections", "./dist/runtime/mcp/client")}.d.ts`;
  return `${root}runtime/bindings/${types}`;
}
