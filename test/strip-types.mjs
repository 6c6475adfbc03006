// `node --import` this file to run TypeScript sources as they are on Node versions that cannot do it themselves.

import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { transformSync } from "oxc-transform";

// Node loads this file twice: here, and in the thread where hooks run.
if (isMainThread) register(import.meta.url);

export async function load(url, context, nextLoad) {
  if (!url.endsWith(".ts")) return nextLoad(url, context);
  const file = fileURLToPath(url);
  const { code } = transformSync(file, await readFile(file, "utf8"));
  return { format: "module", source: code, shortCircuit: true };
}
