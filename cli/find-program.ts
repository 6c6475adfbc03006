import { statSync } from "node:fs";

/** What the compiler writes beside its output whenever it has written anything. A published package has none of it. */
const BUILD_RECORDS = [
  ".",
  "../engine",
  "../engine/bundle",
  "../engine/check",
  "../engine/process",
  "../engine/project",
  "../engine/run",
  "../extras/batch",
  "../extras/completion",
  "../extras/doctor",
  "../extras/durable",
  "../extras/install",
  "../extras/learn",
  "../extras/observe",
  "../extras/publish",
  "../extras/record",
  "../extras/stores",
  "../extras/try",
  "../extras/ui",
  "../extras/ui/report",
  "../extras/ui/report/collect",
  "../extras/ui/server",
  "../library",
  "../runtime/files",
  "../runtime/host",
  "../runtime/mcp",
  "../runtime/sandbox/pool",
  "../schemas",
  "../serve",
  "../templates",
  "../../runtime/bindings/dist/runtime/bindings",
  "../../runtime/bindings/dist/runtime/bindings/node",
  "../../runtime/bindings/dist/runtime/mcp/client",
].map((folder) => new URL(`${folder}/tsconfig.tsbuildinfo`, import.meta.url));

/**
 * Finds the module that runs commands. The linked program has few large files in the place of hundreds, and starts in half of the
 * time; in a clone it may be older than what the compiler wrote last, which is taken then.
 */
export function findProgram(): URL {
  const linked = new URL("../program/run-cli.js", import.meta.url);
  const linkedAt = writtenAt(linked);
  const isCurrent = linkedAt > 0 && BUILD_RECORDS.every((record) => writtenAt(record) <= linkedAt);
  return isCurrent ? linked : new URL("./run-cli.js", import.meta.url);
}

/** 0 where there is no such file. */
function writtenAt(file: URL): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
