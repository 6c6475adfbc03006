import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { installPackages } from "./install-packages.ts";
import { makeTestFolder } from "../make-test-folder.ts";

const run = promisify(execFile);

/** A folder of tests whose package depends on a tarball beside it, and writes a letter for each installation. */
async function makeFolder(): Promise<string> {
  const folder = await makeTestFolder();
  await mkdir(join(folder, "needed"));
  await writeFile(join(folder, "needed/package.json"), JSON.stringify({ name: "needed", version: "1.0.0" }));
  await run("npm", ["pack", "./needed"], { cwd: folder });
  const scripts = { postinstall: "node -e \"fs.appendFileSync('installations', 'x')\"" };
  const dependencies = { needed: "file:needed-1.0.0.tgz" };
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, scripts, dependencies }));
  await run("npm", ["install", "--package-lock-only", "--ignore-scripts", "--prefix", folder], { cwd: folder });
  return folder;
}

test("packages are installed once, however many ask, and again when the lockfile has changed", async () => {
  const folder = await makeFolder();
  const countInstallations = async (): Promise<number> => (await readFile(join(folder, "installations"))).length;
  await Promise.all([installPackages(folder), installPackages(folder)]);
  await installPackages(folder);
  expect(await countInstallations()).toBe(1);
  const installed = await readFile(join(folder, "node_modules/needed/package.json"), "utf8");
  expect(JSON.parse(installed)).toMatchObject({ version: "1.0.0" });

  const record = join(folder, "node_modules/.package-lock.json");
  await writeFile(record, (await readFile(record, "utf8")).replace('"1.0.0"', '"0.9.0"'));
  await installPackages(folder);
  expect(await countInstallations()).toBe(2);
});

test("`npm start` and `npm test` install and build first where a clone is not as its lockfile says", async () => {
  const folder = await makeFolder();
  await mkdir(join(folder, "scripts"));
  for (const name of ["install-first.js", "installed.js"]) await cp(`scripts/${name}`, join(folder, "scripts", name));
  const manifest = join(folder, "package.json");
  const { scripts, ...rest } = JSON.parse(await readFile(manifest, "utf8"));
  const lifecycle = {
    prestart: "node scripts/install-first.js",
    start: "node -e \"fs.appendFileSync('log', 'start ')\"",
    build:
      "node -e \"fs.appendFileSync('log', 'build '); fs.mkdirSync('dist/program', { recursive: true }); fs.writeFileSync('dist/program/library.js', '')\"",
    postprepare: "npm run build",
  };
  await writeFile(manifest, JSON.stringify({ ...rest, type: "module", scripts: { ...scripts, ...lifecycle } }));
  const start = () => run("npm", ["start"], { cwd: folder, shell: process.platform === "win32" });
  await start();
  await start();
  expect(await readFile(join(folder, "log"), "utf8")).toBe("build start start ");
  await rm(join(folder, "dist"), { recursive: true });
  await start();
  await rm(join(folder, "node_modules"), { recursive: true });
  await start();
  expect(await readFile(join(folder, "log"), "utf8")).toBe("build start start build start build start ");
  expect(await readFile(join(folder, "installations"), "utf8")).toBe("xx");
});

test("without a registry, one message says what is missing and who needs it", async () => {
  const folder = await makeTestFolder();
  onTestFinished(() => void vi.unstubAllEnvs());
  const settings = { registry: "http://127.0.0.1:9/", cache: join(folder, "cache"), fetch_retries: "0" };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(`npm_config_${name}`, value);
  const root = { dependencies: { ses: "2.3.0" } };
  const packages = { "": root, "node_modules/ses": { version: "2.3.0", integrity: "sha512-AAAA" } };
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, ...root }));
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
  const failure = installPackages(folder);
  await expect(failure).rejects.toThrow(/^npm cannot install the packages of .+`npm test` needs none of them\.\n/);
  await expect(failure).rejects.toThrow("ECONNREFUSED");
});
