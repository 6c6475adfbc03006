import { programOf } from "./make-program.mjs";

const MAX_TRIES = 400;

/**
 * Leaves parts out of a failing program as long as it fails in the same way.
 *
 * @param {(program: object) => Promise<{ kind: string }>} evaluate
 */
export async function shrink({ name, script, files }, kind, evaluate) {
  let code = files.get(name);
  let tries = 0;
  for (let size = Math.ceil(code.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < code.length && tries < MAX_TRIES;) {
      const shorter = code.slice(0, at) + code.slice(at + size);
      const program = programOf(name, shorter, script === name ? undefined : [script, files.get(script)]);
      tries += 1;
      if ((await evaluate(program)).kind === kind) code = shorter;
      else at += size;
    }
  }
  return code;
}
