import { mutate } from "./mutate.mjs";
import { randomOf } from "./random.mjs";

/**
 * Makes the program of that number. It depends on the seeds, `seed` and `index` alone.
 *
 * @returns {{ name: string, files: Map<string, string> }} the module that was mutated, and all texts by file name; `script` is the script's
 */
export function makeProgram(seeds, seed, index) {
  const random = randomOf(seed, index);
  const { code, isTyped } = mutate(seeds, random);
  const ending = isTyped || random.isLikely(0.4) ? "ts" : "js";
  if (random.isLikely(0.85)) return programOf(`script.${ending}`, code);
  const all = random.pick([
    (path) => `import * as all from "${path}";\nexport default Object.keys(all).length;\n`,
    (path) => `import "${path}";\n`,
    (path) => `export * from "${path}";\n`,
  ])(`./lib/inner.${ending}`);
  return programOf(`lib/inner.${ending}`, code, [`script.${ending}`, all]);
}

/** A program whose mutated module has that name; a script of one module is its own. */
export function programOf(name, code, script = [name, code]) {
  return { name, script: script[0], files: new Map([[name, code], script]) };
}
