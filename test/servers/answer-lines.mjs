import { createInterface } from "node:readline";

/**
 * Answers requests over stdio until the other end closes it: for servers in a few lines, which need no more of the protocol.
 * @param answers functions by method, which make the result from the params and the id, or null for no answer now; any other method is
 *   refused. The function `response` gets what the other end answers to a request of the server.
 */
export function answerLines(answers) {
  createInterface({ input: process.stdin })
    .on("line", (line) => {
      const { id, method, params, result: response } = JSON.parse(line);
      if (id === undefined) return;
      const result = method === undefined ? (answers.response?.(response) ?? null) : answers[method]?.(params, id);
      if (result === null) return;
      const error = { code: -32601, message: "Method not found" };
      console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) }));
    })
    .on("close", () => process.exit());
}
