import { fileURLToPath } from "node:url";
import { startNodeProcess } from "./node-process.mjs";

const PROGRAM = fileURLToPath(new URL("./read-in-node.mjs", import.meta.url));

/**
 * Starts what asks plain Node about the text of a module before it runs: `accepted`, `refused`, `foreign` where it imports what Node cannot
 * know here, or `silent` where Node itself ends over it.
 *
 * @param {ReadonlyMap<string, readonly string[]>} exportsOf the names that modules export, by specifier
 * @returns {{ ask(code: string): Promise<{ kind: "accepted" | "refused" | "foreign" | "silent", message: string }>, stop(): void }}
 */
export function startReader(exportsOf) {
  const node = startNodeProcess(PROGRAM);
  return {
    ask: async (code) => (await node.ask({ code, exportsOf })) ?? { kind: "silent", message: "" },
    stop: node.stop,
  };
}
