// Makes runtime/bindings/dist/runtime/bindings/linked.json from what tsc compiled: the modules of the runtime that scripts use in a sandbox, linked into one expression. The
// bundler puts it before a script as it is, so that it need not be read, parsed and shaken for every script. `build-sandbox.js` puts it into the sandbox.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { minifySync } from "oxc-minify";
import { rollup } from "rollup";
import { toAscii } from "./to-ascii.js";
import { findRefusedText } from "../dist/engine/bundle/program/refused-text.js";

const folder = new URL("../runtime/bindings/dist/runtime/bindings/", import.meta.url);
const MODULES = ["v1", "errors", "discovery", "results", "recall"];
const ENTRY = "\0linked";

const program = {
  name: "linked-runtime",
  resolveId(specifier, importer) {
    if (specifier === ENTRY) return ENTRY;
    // The variant for everything that is not Node.
    const path = specifier === "#caller" ? "./caller.js" : specifier;
    return fileURLToPath(new URL(path, importer === ENTRY ? folder : `file://${importer}`));
  },
  load(id) {
    if (id !== ENTRY) return readFile(id, "utf8");
    const imports = MODULES.map((name) => `import * as ${name} from "./${name}.js";`);
    return `${imports.join("\n")}\nexport { ${MODULES.join(", ")} };\n`;
  },
};

/** A doubt of the bundler is a mistake here: the runtime is closed and small. */
function refuse(level, log) {
  if (level === "warn") throw new Error(log.message);
}

const bundle = await rollup({
  input: ENTRY,
  plugins: [program],
  onLog: refuse,
  treeshake: { moduleSideEffects: false },
});
const { output } = await bundle.generate({
  format: "iife",
  name: "linked",
  generatedCode: { preset: "es2015", symbols: false },
  strict: false,
});
/**
 * Freezes a value with all that is in it, which has no circles, for scripts that would change bindings or error classes (specification 11). What
 * prototypes inherit from is frozen already.
 */
const FREEZE = `const freeze = (value) => {
  if (typeof value === "function") Object.freeze(value.prototype);
  else if (typeof value === "object" && value !== null) for (const key of Object.keys(value)) freeze(value[key]);
  return Object.freeze(value);
};
freeze(linked);`;
// Every sandbox parses it. Scripts may read the names of the error classes.
const minified = minifySync("linked.js", `(() => {\n${output[0].code}${FREEZE}\nreturn { ...linked, freeze };\n})()`, {
  mangle: { keepNames: true },
});
if (minified.errors.length > 0) throw new Error("The runtime cannot be minified.");
// V8 holds and reads ASCII at half the cost, and a bundle with it.
const code = toAscii(minified.code.replace(/;\s*$/, ""));
if (findRefusedText(code).length > 0) throw new Error("The runtime holds text that SES refuses.");
const names = await Promise.all(
  MODULES.map(async (name) => [name, Object.keys(await import(new URL(`${name}.js`, folder).href))]),
);
await writeFile(new URL("linked.json", folder), `${JSON.stringify({ code, exports: Object.fromEntries(names) })}\n`);
