import { MISTAKES } from "./mistakes.js";
import { runScript } from "./run-script.js";

/** Sends each mistake and looks for its fix in the answer; `missing` is what the answer does not hold. */
export async function scoreMistakes(opened) {
  const scores = [];
  for (const { id, code, settings, fix } of MISTAKES) {
    const { text, answer } = await runScript(opened, code, settings);
    const missing = fix
      .filter((wanted) => (typeof wanted === "string" ? !text.includes(wanted) : !wanted.test(text)))
      .map(String);
    const codes = [...new Set(answer.diagnostics.map((diagnostic) => diagnostic.code))];
    scores.push({ id, codes, ...(missing.length === 0 ? {} : { missing, text }) });
  }
  return scores;
}
