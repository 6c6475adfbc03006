import { createInterface } from "node:readline";

/**
 * Answers requests over stdio until the other end closes it: for servers in a few lines, which need no more of the protocol.
 * @param answers functions by method, which make the result from the params, or null for no answer; any other method is refused
 */
export function answerLines(answers) {
  createInterface({ input: process.stdin })
    .on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      const result = answers[method]?.(params);
      if (result === null) return;
      const error = { code: -32601, message: "Method not found" };
      console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) }));
    })
    .on("close", () => process.exit());
}
