/** A remark that makes the text of a script another one. */
function remark(nonce) {
  return nonce === undefined ? "" : `\n// ${nonce}`;
}

/**
 * A script that does the work: so many calls of `echo`, one after the other or all at once. Its result is the last answer.
 * @param call the expression that calls the tool and gives a promise, in the words of the contender
 */
export function writeBody({ calls, parallel = false, nonce, lines = 0 }, call) {
  const filler = Array.from({ length: lines }, (_, line) => `const unused${line} = (x) => x * ${line} + 1;\n`).join("");
  const inTurn = `let last = null;\nfor (let i = 0; i < ${calls}; i += 1) last = await ${call};\n`;
  const atOnce = `const last = (await Promise.all(Array.from({ length: ${calls} }, () => ${call}))).length;\n`;
  return { statements: `${filler}${parallel ? atOnce : inTurn}`, remark: remark(nonce) };
}
