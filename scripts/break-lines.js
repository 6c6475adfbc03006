// Gives each statement of minified code a line of its own. Node prints the line that an uncaught error was thrown in: of code on one line, all of it.

import { parse } from "acorn";

/** Members of syntax nodes that hold a list of statements. */
const LISTS = ["body", "consequent"];

/**
 * @param {string} code minified JavaScript; what it does stays the same
 * @param {"module" | "script"} sourceType `script` for CommonJS
 */
export function breakLines(code, sourceType = "script") {
  const places = new Set();
  const program = parse(code, {
    ecmaVersion: "latest",
    sourceType,
    allowReturnOutsideFunction: true,
    allowHashBang: true,
  });
  const waiting = [program];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const list of LISTS)
      if (Array.isArray(node[list])) for (const { start, end } of node[list]) places.add(start).add(end);
    for (const part of Object.values(node).flat()) if (typeof part?.type === "string") waiting.push(part);
  }
  let text = "";
  let last = 0;
  for (const place of [...places].toSorted((left, right) => left - right)) {
    const isBroken = place === 0 || place === code.length || code[place - 1] === "\n" || code[place] === "\n";
    text += code.slice(last, place) + (isBroken ? "" : "\n");
    last = place;
  }
  return text + code.slice(last);
}
