// Measures what is published and what of it gets into a browser: `node bench/package-sizes.js` prints the table of
// docs/packages.md, `--write` puts it there, `--json` prints those figures that a test watches. It needs a build.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { minify } from "oxc-minify";
import { rollup } from "rollup";
import { formatTarball } from "../dist/extras/publish/format-tarball.js";
import { lockServer } from "../dist/schemas/lock/lock-server.js";
import { emitPackageBody, emitRelease } from "../dist/extras/publish/package/emit-package.js";
import { writeRegion } from "./write-region.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Recorded tool lists of two published servers, which together have thirty tools. */
const RECORDINGS = ["airtable", "filesystem"];

const isForTest = process.argv.includes("--json");
const files = await packThirty();
const bindings = files.flatMap(({ path }) => /^tools\/(\w+)\.js$/.exec(path)?.[1] ?? []);
const bundles = await Promise.all(bindings.map(measureBinding));
const figures = {
  packages: [
    ...(await measureOwn("codemode", ".")),
    ...(await measureOwn("@codemode/runtime", "./runtime/bindings")),
    ...(await measureOwn("@codemode/openapi", "./openapi")),
    {
      name: `a server package of ${bindings.length} tools`,
      files: files.length,
      packed: (await formatTarball(files)).length,
      unpacked: files.reduce((sum, { content }) => sum + content.length, 0),
    },
  ],
  bundles,
};
if (isForTest) process.stdout.write(`${JSON.stringify(figures)}\n`);
else if (process.argv.includes("--write")) await writeRegion("packages.md", "sizes", printTable(figures).trim());
else process.stdout.write(printTable(figures));

async function packThirty() {
  const texts = await Promise.all(RECORDINGS.map((id) => readFile(`${root}test/golden/cases/${id}.json`, "utf8")));
  const tools = texts.flatMap((text) => JSON.parse(text).tools);
  const server = lockServer(
    { id: "thirty", name: "thirty", source: { transport: "stdio", command: "thirty", args: [], env: new Map() } },
    {
      serverInfo: { name: "thirty", version: "1.0.0" },
      protocolVersion: "2025-11-25",
      era: "legacy",
      capabilities: {},
      clientCapabilities: {},
      tools,
    },
  );
  const subject = { name: "codemode-thirty", server, inherited: { license: "MIT" } };
  const release = emitRelease(subject, await emitPackageBody(subject), { version: "1.0.0", reason: "" });
  return release.map(({ path, text }) => ({ path, text, content: Buffer.from(text) }));
}

async function measureOwn(name, folder) {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", folder];
  const { stdout } = await promisify(execFile)("npm", args, { cwd: root });
  // npm 11 prints a list, later ones an object.
  const [{ entryCount, size, unpackedSize }] = Object.values(JSON.parse(stdout));
  return [{ name, files: entryCount, packed: size, unpacked: unpackedSize }];
}

/** Bytes of a page's bundle that imports one binding of the package: without the validator, and for the table with it. */
async function measureBinding(name) {
  const whole = isForTest ? undefined : await bundle(name, (path) => textOf(path));
  const bare = await bundle(name, (path) =>
    path.endsWith(".validator.js") ? "export const validateInput = (input) => check(input);" : textOf(path),
  );
  return { name, whole, bare };
}

function textOf(path) {
  return files.find((file) => file.path === path)?.text;
}

async function bundle(name, load) {
  const { imports, exports } = JSON.parse(await readFile(`${root}runtime/bindings/package.json`, "utf8"));
  const bundled = await rollup({
    input: "entry",
    onLog: (_, { message }) => {
      throw new Error(message);
    },
    plugins: [
      {
        name: "browser",
        resolveId(specifier, importer) {
          if (specifier === "entry") return "entry";
          if (specifier.startsWith(".")) return posix.join(posix.dirname(importer), specifier);
          if (specifier.startsWith("#")) return `${root}runtime/bindings/${imports[specifier].browser}`;
          const target = exports[specifier.replace("@codemode/runtime", ".")];
          return `${root}runtime/bindings/${target.default}`;
        },
        load: (path) =>
          path === "entry" ? `export { ${name} } from "./index.js";` : (load(path) ?? readFile(path, "utf8")),
      },
    ],
  });
  const { output } = await bundled.generate({ format: "es" });
  await bundled.close();
  const { code } = await minify("bundle.js", output[0].code, { module: true });
  return Buffer.byteLength(code);
}

function printTable({ packages, bundles: sizes }) {
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
  const median = (numbers) => numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)];
  const bare = sizes.map((size) => size.bare);
  const whole = sizes.map((size) => size.whole);
  return [
    "| package | files | packed | unpacked |",
    "| --- | ---: | ---: | ---: |",
    ...packages.map(
      ({ name, files: count, packed, unpacked }) =>
        `| ${name} | ${count} | ${kilobytes(packed)} | ${kilobytes(unpacked)} |`,
    ),
    "",
    `| one binding of the ${sizes.length}, bundled for a browser and minified | median | largest |`,
    "| --- | ---: | ---: |",
    `| without its validator | ${kilobytes(median(bare))} | ${kilobytes(Math.max(...bare))} |`,
    `| with it | ${kilobytes(median(whole))} | ${kilobytes(Math.max(...whole))} |`,
    "",
  ].join("\n");
}
