import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "acorn";

const MAX_CHARACTERS = 6_000;

const ROOT = new URL("../../", import.meta.url);

/**
 * Reads the programs that mutations start from: those of the differential tests, the mistakes of the check, the examples, and the fixtures
 * of Rollup in a checkout of rollup/rollup, where its folder is given.
 *
 * @param {string | undefined} rollup
 * @returns {{ code: string, isTyped: boolean }[]}
 */
export function readSeeds(rollup) {
  const seeds = [
    ...differentialPrograms(),
    ...mistakes(),
    ...examples(),
    ...(rollup === undefined ? [] : fixtures(rollup)),
  ];
  return seeds.filter(({ code }) => code.trim() !== "" && code.length <= MAX_CHARACTERS);
}

function readFolder(path, ending) {
  return readdirSync(new URL(path, ROOT))
    .filter((file) => file.endsWith(ending))
    .toSorted(byCodeUnits)
    .map((file) => readFileSync(new URL(path + file, ROOT), "utf8"));
}

/** The last line of a program says what it computes; here it is exported, or assigned, so that there are programs of both kinds. */
function differentialPrograms() {
  return readFolder("test/differential/programs/", ".txt").flatMap((text) =>
    text
      .replace(/^# .*\n/gm, "")
      .split(/(?<=^=> .*\n)/m)
      .map((program, index) => {
        const form = index % 2 === 0 ? "export default (" : "globalThis.__codemode_result__ = (";
        const code = program.replace(/^=> \{ (.*) \}$/m, "(() => { $1 })();").replace(/^=> (.*)$/m, `${form}$1);`);
        return { code, isTyped: false };
      }),
  );
}

const MODULES = { ECHO: "everything", FILES: "filesystem", MEMORY: "memory", TICKETS: "everything" };

function mistakes() {
  const texts = readFolder("test/engine/check/mistakes/", ".ts").join("\n");
  return Array.from(texts.matchAll(/script: `((?:[^`\\]|\\.)*)`/gs), ([, script]) => {
    const code = script
      .replace(/\$\{(\w+)_IMPORT\}/g, (_, name) => `import * as all from "@codemode/servers/${MODULES[name]}";\n`)
      .replace(/\\([`$\\])/g, "$1")
      .replace(/[⟪⟫]/g, "");
    return { code, isTyped: isTyped(code) };
  });
}

function examples() {
  return readFolder("examples/", ".ts").map((code) => ({ code, isTyped: true }));
}

function fixtures(folder) {
  return ["function", "form"].flatMap((part) => {
    const samples = join(folder, "test", part, "samples");
    return readdirSync(samples, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".js") && !/_expected|_config|node_modules/.test(path))
      .toSorted(byCodeUnits)
      .flatMap((path) => {
        const code = withoutForeignImports(readFileSync(join(samples, path), "utf8"));
        return code === undefined ? [] : [{ code, isTyped: false }];
      });
  });
}

const byCodeUnits = (left, right) => (left < right ? -1 : 1);

/** Fixtures import each other; here each stands alone, and what it imported is a variable. */
function withoutForeignImports(code) {
  let program;
  try {
    program = parse(code, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true });
  } catch {
    return code;
  }
  return program.body.toReversed().reduce((text, statement) => {
    if (!/^(Import|Export(All|Named))Declaration$/.test(statement.type) || !statement.source) return text;
    const names = statement.type === "ImportDeclaration" ? statement.specifiers.map(({ local }) => local.name) : [];
    const variables = names.length === 0 ? "" : `let ${names.join(", ")};`;
    return text.slice(0, statement.start) + variables + text.slice(statement.end);
  }, code);
}

function isTyped(code) {
  try {
    parse(code, { ecmaVersion: "latest", sourceType: "module" });
    return false;
  } catch {
    return true;
  }
}
