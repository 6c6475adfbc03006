import { fileURLToPath } from "node:url";
import { startNodeProcess } from "./node-process.mjs";

const PROGRAM = fileURLToPath(new URL("./run-in-node.mjs", import.meta.url));

/** Programs that cannot run in plain Node, or that are otherwise in a sandbox by design (docs/sandbox.md). */
const NOT_COMPARED = /\bimport\b|\bfrom\s*["']|\b(eval|arguments|Function|stack|toString|String\(|Error)\b/;

/**
 * A default export that has no name is called `default` in Node, and `result` in a bundle; other names may get a number. Messages of V8
 * show them, and what is rewritten for SES. Of an exported constant before its declaration V8 says that it is a constant.
 */
const NOT_THE_SAME = /\[(\w*Function|class)\b|\bdefault\b|\bresult\b|\blowered_\d|\$\d|before initialization/;

/**
 * Runs modules and their bundles in a process of plain Node, which is ended where a program has no end.
 */
export function startComparison() {
  const node = startNodeProcess(PROGRAM);
  return {
    /**
     * @returns {Promise<{ module: string, bundle: string } | undefined>} what both came to; undefined for what cannot be compared
     */
    async compare(code, bundle) {
      if (NOT_COMPARED.test(code)) return undefined;
      const answer = await node.ask({ code, bundle });
      const isByDesign = answer !== undefined && answer.module !== answer.bundle && NOT_THE_SAME.test(answer.bundle);
      return isByDesign ? undefined : answer;
    },
    stop: node.stop,
  };
}
