// Links what tsc compiled, and the packages that it needs, into dist/program: the commands, the public API, the processes that answer questions, and chunks that are
// loaded when they are needed. Few large files load in a third of the time that hundreds of small ones take. They are no ES modules,
// because only scripts can be loaded from compiled code under each version of Node; `engine/process/linked/start-program.ts` does so. This form, and what
// rewrites imports and places below, goes when Node 20 is no longer supported: `module.enableCompileCache()` of Node 22 takes ES modules.
import { existsSync, readdirSync } from "node:fs";
import { chmod, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "acorn";
import { rolldown } from "rolldown";
import { breakLines } from "./break-lines.js";
import { findLinked, noteVendored } from "./linked/find-linked.js";
import { shareAjv } from "./linked/share-ajv.js";
import { writeLinked } from "./linked/write-linked.js";
import { toAscii } from "./to-ascii.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiled = join(root, "dist");
const target = join(compiled, "program");

const ENTRIES = {
  "run-cli": join(compiled, "cli/run-cli.js"),
  library: join(compiled, "library/index.js"),
  "config-check": join(compiled, "schemas/config-check.js"),
  bundler: join(compiled, "engine/bundle/process/main.js"),
  checker: join(compiled, "engine/check/process/main.js"),
  "emission-process": join(compiled, "engine/project/emit-process/main.js"),
  "example-server": join(compiled, "extras/try/example-server.js"),
};

/**
 * When each stores its compiled code, in milliseconds, and where. The answering processes are killed at their end, so they store early,
 * and get the path as an argument. The checker alone needs the libraries of TypeScript.
 */
const STARTS = {
  "run-cli": "{ keepAfterMs: 10_000 }",
  library: "{ keepAfterMs: 10_000 }",
  "config-check": "{ keepAfterMs: 10_000 }",
  bundler: "{ keepAfterMs: 300, cacheHome: process.argv[2] }",
  checker: "{ keepAfterMs: 2_000, cacheHome: process.argv[2], checksTypes: true }",
  "emission-process": "{ keepAfterMs: 300, cacheHome: process.argv[2] }",
  "example-server": "{ keepAfterMs: 2_000 }",
};

/** What starts an entry: a module of what it exports, or a script, because to load Node's loader of modules takes a tenth of the start of a process. */
const starterOf = (name) => `${name}.${["run-cli", "library", "config-check"].includes(name) ? "js" : "cjs"}`;

/** Packages that stay what they are: native code, and compilers as large as everything else. */
const EXTERNAL = /^(node:|oxc-transform$|ts-morph$|@ts-morph\/|typescript$|ses$|pg$)/;

/** Modules find files relative to themselves. Bundling moves them, so each gets its original location; a bundled program is found at its new one. */
const keepPlaces = {
  name: "keep-places",
  transform: {
    filter: { code: "import.meta" },
    handler(code, id) {
      if (!id.startsWith(compiled)) return null;
      const moved = code.replace(/new URL\("([^"]+)", import\.meta\.url\)/g, (_all, path) => {
        const file = resolve(dirname(id), path);
        const [name] = Object.entries(ENTRIES).find(([, entry]) => entry === file) ?? [];
        const place = name === undefined ? toPlace(file) + (path.endsWith("/") ? "/" : "") : `./${starterOf(name)}`;
        return `new URL(${JSON.stringify(place)}, import.meta.url)`;
      });
      return moved
        .replaceAll(/import\.meta\.url(?!\))/g, `new URL(${JSON.stringify(toPlace(id))}, import.meta.url).href`)
        .replaceAll(
          "import.meta.dirname",
          // The path of a URL has its blanks encoded, and on Windows a slash before the drive.
          `process.getBuiltinModule("node:url").fileURLToPath(new URL(${JSON.stringify(toPlace(dirname(id)))}, import.meta.url))`,
        );
    },
  },
};

function toPlace(file) {
  return relative(target, file).replaceAll("\\", "/");
}

/** An import of a name that is not known before it runs cannot be linked: each extra that there is gets an import of its own. */
const linkExtras = {
  name: "link-extras",
  transform: {
    filter: { id: /[\\/]dist[\\/]engine[\\/]process[\\/]load-extra\.js$/ },
    handler(code) {
      const names = readdirSync(join(compiled, "extras")).filter((name) =>
        existsSync(join(compiled, "extras", name, "index.js")),
      );
      const imports = names.map((name) => `${name}: () => import("../../extras/${name}/index.js")`);
      const [before] = code.split("async function importExtra");
      return `${before}const EXTRAS = { ${imports.join(", ")} };\nconst importExtra = async (name) => EXTRAS[name]?.();\n`;
    },
  },
};

/** Of the bundler the JavaScript is linked; its native code is found by its package. */
const keepNativeRollup = {
  name: "keep-native-rollup",
  resolveId: {
    filter: { id: /\/native\.js$/ },
    handler: (_id, importer) =>
      importer?.includes("/node_modules/rollup/") ? { id: "rollup/dist/native.js", external: true } : null,
  },
};

/** What json-schema-to-typescript loads, and never uses for a schema that is a value without a layout: its printer, YAML, and colours that it can do without. */
const UNUSED = {
  prettier: "export {};",
  "js-yaml": "export const CORE_SCHEMA = { withTags: () => undefined };",
  "cli-color": "module.exports = undefined;",
};
const leaveOutUnused = {
  name: "leave-out-unused",
  resolveId: {
    filter: { id: /^(?:prettier|js-yaml|cli-color)$/ },
    handler: (id, importer) =>
      /[\\/]json-schema-(?:to-typescript|ref-parser)[\\/]/.test(importer ?? "") ? `\0${id}` : null,
  },
  load: { filter: { id: /^\0(?:prettier|js-yaml|cli-color)$/ }, handler: (id) => UNUSED[id.slice(1)] },
};

/** What asks here for whole lodash uses a tenth of it; this package puts its exports together in a way that only a module of its own allows. */
const PARTS_OF_LODASH = "cloneDeep deburr endsWith includes isPlainObject map merge omit trim uniqBy upperFirst".split(
  " ",
);
const takeParts = {
  name: "take-parts",
  resolveId: {
    filter: { id: /^(?:lodash|@jsdevtools\/ono)$/ },
    handler: (id) => (id === "lodash" ? "\0lodash" : join(root, "node_modules/@jsdevtools/ono/cjs/index.js")),
  },
  load: {
    filter: { id: /^\0lodash$/ },
    handler: () => PARTS_OF_LODASH.map((name) => `export { default as ${name} } from "lodash/${name}.js";`).join("\n"),
  },
};

/** The runtime's package has its own copies of the shapes that it shares with the rest; here one is enough. */
const sharedShapes = join(root, "runtime/bindings/dist/schemas");
const shareShapes = {
  name: "share-shapes",
  resolveId: {
    filter: { id: /\/schemas\// },
    handler(id, importer) {
      const file = resolve(dirname(importer ?? root), id);
      return file.startsWith(sharedShapes) ? join(compiled, "schemas", relative(sharedShapes, file)) : null;
    },
  },
};

/** A script that comes from compiled code cannot import by itself: it is given a function for that. */
const nameImports = {
  name: "name-imports",
  renderChunk(code) {
    const places = [];
    const onToken = ({ type, start, end }) => type.keyword === "import" && places.push([start, end]);
    parse(code, { ecmaVersion: "latest", sourceType: "script", onToken });
    return places.reduceRight((text, [start, end]) => `${text.slice(0, start)}importModule${text.slice(end)}`, code);
  },
};

/**
 * What is loaded at the same time: each chunk has the modules that the same of these reach. Chunks for all hundred places that load something later
 * would be five times as many. What a host loads of a process that it asks is here too, so that it is in no chunk that loads a compiler.
 */
const LOADED_TOGETHER = {
  ...Object.fromEntries(Object.entries(ENTRIES).map(([name, entry]) => [name, [entry]])),
  run: inCompiled("cli/commands/run.js", "library/open-engine.js"),
  host: inCompiled("engine/run/make-host.js", "runtime/host/checks/input-check.js", "engine/run/look-at-results.js"),
  session: inCompiled("engine/check/process/start-checker.js", "engine/project/emit-process/emit-apart.js"),
};

function inCompiled(...files) {
  return files.map((file) => join(compiled, file));
}

/** The modules that some reach without `import()`. */
function findReached(entries, graph) {
  const reached = new Set(entries);
  for (const id of reached) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(next);
  return reached;
}

let reachedOf;

/**
 * The name of the chunk of a module; null where none of `LOADED_TOGETHER` reaches it. As a module's imports are reached by all that reach it, no two
 * chunks need each other. An entry is alone in its chunk, which exports nothing else.
 */
function nameChunk(id, graph) {
  if (Object.values(ENTRIES).includes(id)) return null;
  reachedOf ??= Object.entries(LOADED_TOGETHER).map(([name, entries]) => [name, findReached(entries, graph)]);
  const names = reachedOf.filter(([, reached]) => reached.has(id)).map(([name]) => name);
  return names.length === 0 ? null : names.join("+");
}

const IMPORT_START = `import { startProgram } from ${inDist("engine/process/linked/start-program.js")};`;

await rm(target, { recursive: true, force: true });
const vendored = noteVendored();
const bundle = await rolldown({
  input: ENTRIES,
  cwd: root,
  platform: "node",
  // What is named here for chunks needs it.
  preserveEntrySignatures: "allow-extension",
  // What one command loads later, another has from its start.
  checks: { ineffectiveDynamicImport: false },
  external: (id) => EXTERNAL.test(id),
  // Some packages have ES modules beside a form that loads its parts by computed names, which cannot be linked.
  resolve: { mainFields: ["module", "main"] },
  plugins: [
    linkExtras,
    keepPlaces,
    keepNativeRollup,
    leaveOutUnused,
    takeParts,
    shareAjv,
    shareShapes,
    vendored.plugin,
    nameImports,
  ],
});
const { output } = await bundle.write({
  dir: target,
  format: "cjs",
  codeSplitting: { groups: [{ name: nameChunk, debugName: "loaded together" }], includeDependenciesRecursively: false },
  entryFileNames: "[name]-[hash].cjs",
  // A package may name its file with dots.
  chunkFileNames: ({ name }) => `${name.replaceAll(".", "-")}-[hash].cjs`,
  // Names stay, for stacks that can be read; comments and blanks are two thirds of a package.
  minify: { compress: false, mangle: false },
});
await bundle.close();
for (const { type, name, isEntry, fileName, exports, code } of output) {
  // One character beyond makes V8 hold each one of a chunk in two bytes.
  if (type === "chunk") await writeFile(join(target, fileName), toAscii(breakLines(code)));
  if (isEntry !== true) continue;
  if (exports.length === 0)
    await writeStarter(name, "cjs", `${IMPORT_START} ${printStart("__dirname", name, fileName)};`);
  else await writeFile(join(target, starterOf(name)), printModule(name, fileName, exports));
}
await writeStarter(
  "start-program",
  "esm",
  `export { startProgram } from ${inDist("engine/process/linked/start-program.js")};`,
);
const [commandChunk] = output.filter(({ name, isEntry }) => isEntry === true && name === "run-cli");
await writeStarter(
  "codemode",
  "cjs",
  `import { startCommand } from ${inDist("cli/start-command.js")};
${IMPORT_START} startCommand(() => ${printStart("__dirname", "run-cli", commandChunk.fileName)});`,
);
await writeLinked(root, "program", target, await findLinked(root, output, vendored.found));
// npm makes them executable when it installs the package; a link to a clone needs it too.
for (const file of ["cli/main.js", "program/codemode.cjs"]) await chmod(join(compiled, file), 0o755);

/** Links what starts chunks. The command is no ES module: to load Node's loader of those takes a third of its start. */
async function writeStarter(name, format, text) {
  const input = "codemode:starter";
  const plugin = {
    name: "starter",
    resolveId: (id) => (id === input ? id : null),
    load: (id) => (id === input ? text : null),
  };
  const starter = await rolldown({ input, cwd: root, platform: "node", plugins: [plugin] });
  const banner = name === "codemode" ? "#!/usr/bin/env node" : "";
  const entryFileNames = `${name}.${format === "cjs" ? "cjs" : "js"}`;
  const { output: starters } = await starter.write({ dir: target, format, entryFileNames, banner, minify: true });
  await starter.close();
  const [{ fileName, code }] = starters;
  await writeFile(join(target, fileName), breakLines(code, format === "esm" ? "module" : "script"));
}

function inDist(file) {
  return JSON.stringify(join(compiled, file));
}

function printStart(folder, name, chunk) {
  return `startProgram(${folder}, ${JSON.stringify(chunk)}, ${STARTS[name]})`;
}

/** What is imported in the place of a chunk. */
function printModule(name, chunk, names) {
  const start = printStart("import.meta.dirname", name, chunk);
  return `import { startProgram } from "./start-program.js";\nexport const { ${names.join(", ")} } = ${start};\n`;
}
