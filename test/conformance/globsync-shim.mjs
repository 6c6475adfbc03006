// `node --import` this file to run the conformance suite on Node 20: it imports `globSync` from `fs`, which came with
// Node 22, and needs it for none of the client scenarios.

import * as fs from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

const WITH_GLOB_SYNC = "codemode-test:fs";

// Node loads this file twice: here, and in the thread where hooks run.
if (isMainThread && !("globSync" in fs)) register(import.meta.url);

export function resolve(specifier, context, nextResolve) {
  const isTheSuite = context.parentURL?.includes("/@modelcontextprotocol/conformance/") === true;
  if (!isTheSuite || specifier !== "fs") return nextResolve(specifier, context);
  return { url: WITH_GLOB_SYNC, shortCircuit: true };
}

export function load(url, context, nextLoad) {
  if (url !== WITH_GLOB_SYNC) return nextLoad(url, context);
  const source = `
    export * from "node:fs";
    export const globSync = () => { throw new Error("this version of Node has no globSync"); };`;
  return { format: "module", source, shortCircuit: true };
}
