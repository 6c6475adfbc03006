// Makes dist/codemode.d.ts: the declarations of the public API in one file, from those that tsc wrote. What is not public is neither in it nor published.
import { fileURLToPath } from "node:url";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

const root = fileURLToPath(new URL("..", import.meta.url));

const bundle = await rollup({
  input: `${root}dist/library/index.d.ts`,
  external: [/^@codemode\/runtime\//],
  plugins: [dts()],
  onLog: refuse,
});
await bundle.write({
  file: `${root}dist/codemode.d.ts`,
  // For `await using`: projects may not name that library.
  banner: '/// <reference lib="esnext.disposable" />',
});
await bundle.close();

function refuse(level, log) {
  if (level === "warn") throw new Error(log.message);
}
