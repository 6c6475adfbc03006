// Makes the programs of the sandbox process from what tsc compiled: dist/sandbox/boot.cjs, the entry, dist/sandbox/main.js for the main
// realm, dist/sandbox/realm.js, a script whose value is the function that starts the guest realm, dist/sandbox/runtime.js, whose value makes the runtime of scripts, and beside
// them SES, linked from the modules that its authors publish.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire, isBuiltin } from "node:module";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { rollup } from "rollup";
import { findLinked } from "./linked/find-linked.js";
import { writeLinked } from "./linked/write-linked.js";
import { toAscii } from "./to-ascii.js";
import { findFreeNames } from "../dist/engine/bundle/syntax/find-undeclared.js";
import { loadParser } from "../dist/engine/bundle/syntax/syntax-tree.js";
import { LANGUAGE_GLOBALS } from "../dist/runtime/sandbox/realm/globals.js";
import { printRuntimeLine, RUNTIME } from "../dist/schemas/run/bundle.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiled = join(root, "dist/runtime/sandbox/realm");
const target = join(root, "dist/sandbox");

/** Scripts have a `Math` of their own, which is made when they start. */
const RUNTIME_PARAMETERS = ["globalThis", "Math"];

/** Bundles one program. Modules are kept only for what is used of them, and nothing of another package may be left. */
async function writeBundle(input, file, output) {
  const bundle = await rollup({ input, external: isBare, onLog: refuse, treeshake: { moduleSideEffects: false } });
  const {
    output: [program],
  } = await bundle.generate({ ...output, generatedCode: "es2015" });
  await bundle.close();
  const strangers = program.imports.filter((id) => !isBuiltin(id));
  if (strangers.length > 0) throw new Error(`${input} needs ${strangers.join(", ")}, which the sandbox does not have`);
  await writeAscii(program.code, file);
}

function isBare(id) {
  return !id.startsWith(".") && !isAbsolute(id);
}

/** A doubt of the bundler is a mistake here: both programs are closed and small. */
function refuse(level, log) {
  if (level === "warn") throw new Error(log.message);
}

/** Writes a program as the sandbox reads it. */
async function writeAscii(program, file) {
  await writeFile(join(target, file), toAscii(program));
}

/**
 * Leaves out the immutable buffers that SES emulates. No view can be made of them, without `transfer` (Node 20) they always throw, and
 * they replace `ArrayBuffer.prototype` by functions that throw where the engine has none: code that looks for a feature would find it.
 */
const withoutEmulations = {
  name: "without-emulations",
  load: (id) => (id.endsWith("/@endo/immutable-arraybuffer/shim.js") ? "export {};" : null),
};

/**
 * What SES does for each of the 4,000 properties of a realm, without objects that are made for it alone: the ones that hold all descriptors of
 * an object, which get a hidden class for each property, steps of iterators, and functions that are called once for each property.
 */
const withoutDetours = {
  name: "without-detours",
  transform(code, id) {
    const edits = Object.entries(DETOURS).find(([file]) => id.endsWith(`/ses/src/${file}`))?.[1];
    return edits === undefined ? null : edits.reduce(replaceOnce, code);
  },
};

const DETOURS = {
  "make-hardener.js": [
    ["const descs = getOwnPropertyDescriptors(obj);", ""],
    ["arrayForEach(ownKeys(descs), (/** @type {string | symbol} */ name) => {", eachOf("name", "ownKeys(obj)")],
    ["const desc = descs[/** @type {string} */ (name)];", "const desc = getOwnPropertyDescriptor(obj, name);"],
    ["enqueue(desc.set);\n          }\n        });", "enqueue(desc.set);\n          }\n        }"],
  ],
  "permits-intrinsics.js": [["for (const prop of ownKeys(obj)) {", eachOf("prop", "ownKeys(obj)")]],
  "enable-property-overrides.js": [
    ["const descs = getOwnPropertyDescriptors(obj);\n    if (!descs) {\n      return;\n    }", ""],
    [
      "arrayForEach(ownKeys(descs), prop => enable(path, obj, prop, descs[prop]));",
      "arrayForEach(ownKeys(obj), prop => enableProperty(path, obj, prop));",
    ],
  ],
};

/** The head of a loop over an array, without an iterator. */
function eachOf(name, array) {
  return `for (let all = ${array}, at = 0; at < all.length; at += 1) { const ${name} = all[at];`;
}

function replaceOnce(code, [before, after]) {
  if (code.split(before).length !== 2) throw new Error(`SES does not contain once: ${before}`);
  return code.replace(before, () => after);
}

/**
 * The tables of what is permitted are literals of hundreds of shapes, and every realm would make a hidden class for each.
 * Objects without a prototype have none.
 */
const withoutShapes = {
  name: "without-shapes",
  transform: (code, id) =>
    /\/ses\/src\/(?:permits|enablements)\.js$/.test(id)
      ? code.replace(/(?<= = |: |return )\{(?=\n)/g, "{ __proto__: null,")
      : null,
};

/**
 * Links SES into one scope. The program that its authors publish holds its 70 modules apart, which takes a tenth of a sandbox's start.
 * Everything is kept as it is, names of functions too; only blanks and comments go, and names that nothing can see get short.
 */
async function writeSes(folder) {
  const bundle = await rolldown({
    input: join(folder, "index.js"),
    treeshake: false,
    onLog: refuse,
    plugins: [withoutEmulations, withoutDetours, withoutShapes],
  });
  const {
    output: [program],
  } = await bundle.generate({
    format: "iife",
    strict: true,
    minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  await writeAscii(program.code, "ses.js");
  await writeLinked(root, "sandbox", target, await findLinked(root, [program]));
}

/**
 * Writes the runtime of scripts as a script whose value is a function that makes it, for the global object of a compartment. Its
 * own line is the second, as in a bundle: places in stacks are the same. Everything that it names is a parameter, so it reaches nothing of the realm
 * that a script could not.
 */
async function writeRuntime() {
  const linked = join(root, "runtime/bindings/dist/runtime/bindings/linked.json");
  const { code } = JSON.parse(await readFile(linked, "utf8"));
  const parse = await loadParser();
  const { undeclared } = findFreeNames(parse(code), new Set(RUNTIME_PARAMETERS));
  const taken = [...new Set(undeclared.map(({ name }) => name))].toSorted();
  const foreign = taken.filter((name) => !LANGUAGE_GLOBALS.includes(name));
  if (foreign.length > 0) throw new Error(`The runtime uses ${foreign.join(", ")}, which scripts do not have`);
  const lines = [
    `(function (${RUNTIME_PARAMETERS.join(", ")}) {"use strict"; const { ${taken.join(", ")} } = globalThis;`,
    printRuntimeLine(code),
    `return ${RUNTIME};`,
    "})",
  ];
  await writeAscii(lines.join("\n"), "runtime.js");
}

await mkdir(target, { recursive: true });
await writeBundle(join(compiled, "boot/boot.js"), "boot.cjs", { format: "cjs" });
await writeBundle(join(compiled, "boot/main.js"), "main.js", {
  format: "cjs",
  banner: "(function (require, programs, mode) {",
  footer: "})",
});
await writeBundle(join(compiled, "main.js"), "realm.js", {
  format: "iife",
  name: "realm",
  banner: "(function () {",
  footer: "return realm.startRealm; })();",
});
await writeRuntime();
await writeSes(dirname(createRequire(import.meta.url).resolve("ses/package.json")));
const made = ["boot.cjs", "main.js", "realm.js", "runtime.js", "ses.js", "third-party-licenses.txt"];
for (const file of await readdir(target)) if (!made.includes(file)) await rm(join(target, file));
