import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startBundler } from "../../dist/engine/bundle/process/bundler.js";
import { parseLockfile } from "../../dist/schemas/lock/lockfile-text.js";
import { startReader } from "./ask-node.mjs";
import { classify } from "./classify.mjs";
import { startComparison } from "./compare-runs.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What is said of a name that is declared nowhere. */
const UNDECLARED = /^`(.+)` is not declared\.$/;

const BESIDE = "export const a = 1;\nexport function x() {}\nexport default class {}\n";

/**
 * Starts what programs are tried in: the bundler's process, over the servers of this repository, and a folder for modules.
 */
export function startTrial() {
  const lockfileName = join(ROOT, "codemode.lock.json");
  const lockfile = parseLockfile(readFileSync(lockfileName, "utf8"), lockfileName);
  const options = { generatedFolder: join(ROOT, "generated"), lockfile };
  const reader = startReader(findExports(lockfile));
  const folder = mkdtempSync(join(tmpdir(), "codemode-fuzz-"));
  writeFileSync(join(folder, "beside.js"), BESIDE);
  mkdirSync(join(folder, "lib"));
  writeFileSync(join(folder, "lib/beside.js"), BESIDE);
  const bundler = startBundler();
  const comparison = startComparison();

  async function bundle({ script, files }) {
    try {
      for (const [name, text] of files) if (name !== script) writeFileSync(join(folder, name), text);
      return await bundleWithGlobals(files.get(script), script);
    } catch (error) {
      return { error: String(error.stack ?? error) };
    }
  }

  /** Most mutations take declarations away: such a program is bundled as one that finds the names in `globalThis`. */
  async function bundleWithGlobals(code, name, made = []) {
    const named = made.map((one) => `globalThis[${JSON.stringify(one)}]`).join(", ");
    const ending = named === "" ? "" : `\n;void [${named}];`;
    const outcome = await bundler.bundle({ name, code: code + ending, folder }, options);
    const undeclared = outcome.ok
      ? []
      : outcome.diagnostics.flatMap(({ message }) => UNDECLARED.exec(message)?.[1] ?? []);
    const isNew = undeclared.length > 0 && !undeclared.some((one) => made.includes(one));
    return isNew ? bundleWithGlobals(code, name, [...made, ...undeclared]) : outcome;
  }

  return {
    /** Bundles a program and says what that came to. `isUncompared`: plain Node has ended over its text, and says nothing. */
    async evaluate(program) {
      const outcome = await bundle(program);
      const files = new Map([...program.files, ["beside.js", BESIDE], ["lib/beside.js", BESIDE]]);
      // Node knows no types.
      const inNode = await reader.ask(program.files.get(program.name));
      const isUncompared = inNode.kind === "silent";
      const verdict = { ...classify({ ...program, files }, outcome, inNode), isUncompared };
      const code = program.files.get(program.name);
      const isComparable = verdict.kind === "bundled" && program.name === "script.js" && inNode.kind === "accepted";
      const compared = isComparable ? await comparison.compare(code, outcome.bundle.code) : undefined;
      if (compared === undefined) return verdict;
      if (compared.module === compared.bundle) return { kind: "same value", text: compared.module };
      return { kind: "other value", text: `${compared.module}\n${compared.bundle}` };
    },
    async stop() {
      comparison.stop();
      reader.stop();
      await bundler.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function findExports(lockfile) {
  const exportsOf = new Map([["./beside.js", ["a", "x", "default"]]]);
  const { exports } = JSON.parse(readFileSync(join(dirname(RUNTIME), "linked.json"), "utf8"));
  for (const name of ["errors", "discovery"]) exportsOf.set(`@codemode/${name}`, exports[name]);
  for (const { id, tools } of lockfile.servers.values()) {
    exportsOf.set(`@codemode/servers/${id}`, [...tools.map(({ exportName }) => exportName), "__meta__"]);
  }
  return exportsOf;
}

const RUNTIME = fileURLToPath(import.meta.resolve("@codemode/runtime/v1"));
