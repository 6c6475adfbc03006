// Generates the types of the ten large documents and compiles them strictly with TypeScript 5.4, 5.9 and 7.0:
// `node bench/openapi-types.js` prints the table of docs/openapi.md, `--write` puts it there, names select documents. It needs a build,
// `npm ci` in test/openapi/documents and test/openapi/apis, and `npm ci --prefix test/publishing`. It takes about twenty minutes.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { LARGE, printVersion } from "./openapi-documents.js";
import { writeRegion } from "./write-region.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const COMPILERS = {
  5.4: "test/publishing/node_modules/typescript-5.4/bin/tsc",
  5.9: "test/publishing/node_modules/typescript-5.9/bin/tsc",
  "7.0": "node_modules/typescript/bin/tsc",
};
const TSCONFIG = {
  compilerOptions: {
    ...{ target: "es2022", lib: ["es2022"], module: "nodenext", types: [], noEmit: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
  },
  include: ["generated/**/*.d.ts"],
};

const words = process.argv.slice(2);
const names = words.filter((word) => word !== "--write");
const rows = [];
for (const document of [...LARGE.map(({ path, ...rest }) => ({ ...rest, paths: [path] })), await findExamples()]) {
  if (names.length > 0 && !names.includes(document.name)) continue;
  rows.push(await tryDocuments(document));
  console.log(rows.at(-1));
}
if (words.includes("--write")) await writeRegion("openapi.md", "compiled", printTable(rows));
else console.log(printTable(rows));

/** The examples of the specification and others that show one part of it each; three have no operation. */
async function findExamples() {
  const folder = "node_modules/@readme/oas-examples";
  const files = await readdir(root + folder, { recursive: true });
  const examples = files.filter(
    (file) => /^[23][^/]*\/json\/.*\.json$/.test(file) && !/webhooks\.|title\.json$/.test(file),
  );
  return {
    name: "Examples of the specification",
    folder,
    paths: examples.toSorted().map((file) => `${folder}/${file}`),
  };
}

async function tryDocuments({ name, paths, folder }) {
  const { name: packageName, version, license } = JSON.parse(await readFile(`${root}${folder}/package.json`, "utf8"));
  const info = paths.length > 1 ? {} : JSON.parse(await readFile(`${root}${paths[0]}`, "utf8")).info;
  const checked = await Promise.all(paths.map(checkTools));
  const sum = (key) => checked.reduce((total, tools) => total + tools[key], 0);
  const found = {
    ...{ name, version: printVersion(info), source: `\`${packageName}\` ${version} (${license})` },
    ...{ operations: sum("operations"), valid: sum("valid") },
  };
  const cwd = await mkdtemp(join(tmpdir(), "codemode-types-"));
  try {
    const servers = paths.map((path, index) => [
      `api${index}`,
      { command: process.execPath, args: [`${root}openapi/dist/main.js`, `${root}${path}`, "--mock"] },
    ]);
    await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
    await writeFile(join(cwd, "tsconfig.json"), JSON.stringify(TSCONFIG));
    await run([`${root}dist/cli/main.js`, "generate", "--trust"], cwd);
    for (const [compiler, program] of Object.entries(COMPILERS)) found[compiler] = await countErrors(program, cwd);
  } finally {
    await rm(cwd, { recursive: true });
  }
  return found;
}

/** How many tools have a name that is valid and their own, and schemas that are JSON Schema. */
async function checkTools(path) {
  const { createOpenApiServer } = await import("../openapi/dist/server.js");
  const { tools } = await createOpenApiServer(`${root}${path}`, { mock: true });
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const taken = new Set();
  const valid = tools.filter(({ name, inputSchema, outputSchema = { type: "object" } }) => {
    const isNamed = /^[A-Za-z0-9_-]{1,64}$/.test(name) && !taken.has(name);
    taken.add(name);
    return isNamed && ajv.validateSchema(inputSchema) && ajv.validateSchema(outputSchema);
  });
  return { operations: tools.length, valid: valid.length };
}

function run(args, cwd) {
  return promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 2 ** 28 });
}

async function countErrors(program, cwd) {
  try {
    await run([`${root}${program}`], cwd);
    return 0;
  } catch (error) {
    console.log(error.stdout.slice(0, 2_000) || error.message);
    return error.stdout.split("\n").filter((line) => line.includes("error TS")).length;
  }
}

function printTable(found) {
  const versions = Object.keys(COMPILERS).toSorted();
  const head = ["document", "operations", "valid tools", ...versions.map((version) => `errors, ${version}`)];
  const lines = found.map((row) => {
    const cells = [`${row.name}${row.version}`, row.operations, row.valid, ...versions.map((version) => row[version])];
    return `| ${cells.join(" | ")} |`;
  });
  return [`| ${head.join(" | ")} |`, `| --- |${" ---: |".repeat(head.length - 1)}`, ...lines].join("\n");
}
