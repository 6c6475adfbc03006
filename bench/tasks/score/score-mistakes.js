import { MISTAKES } from "./mistakes.js";
import { runScript } from "./run-script.js";

/** A failed run waits a second for what types say of it, which a busy machine may miss. */
const TRIES = 5;

/** Sends each mistake and looks for its fix in the answer; `missing` is what the answer does not hold. */
export async function scoreMistakes(opened) {
  const scores = [];
  for (const { id, code, settings, fix } of MISTAKES) {
    const send = async (tries) => {
      const { text, answer } = await runScript(opened, code, settings);
      const missing = fix
        .filter((wanted) => (typeof wanted === "string" ? !text.includes(wanted) : !wanted.test(text)))
        .map(String);
      const codes = [...new Set(answer.diagnostics.map((diagnostic) => diagnostic.code))];
      if (missing.length === 0) return { id, codes };
      return tries > 1 && !codes.includes("TYPE_ERROR") ? send(tries - 1) : { id, codes, missing, text };
    };
    scores.push(await send(TRIES));
  }
  return scores;
}
