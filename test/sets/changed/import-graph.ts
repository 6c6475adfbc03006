import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ts } from "@ts-morph/common";
import { STARTED_BY } from "./started-programs.ts";

/** Who needs a file: by its path, the files that import it, name its path, or start it as a process. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>;

/** Code, and what tests read by its path. */
const CODE = /\.(?:ts|js|mjs|cjs)$/;

/** An import of types alone runs nothing of the file. */
const TYPE_IMPORT = /^(?:import|export) type [^;]*? from "[^"]+";/gm;

/** The place of a file beside the module, and a path from the top of the project. */
const BESIDE = /new URL\("(\.[^"]+)", import\.meta\.url\)/g;
const PATH = /"((?:[\w.-]+\/)+[\w.-]+\.\w+)"/g;

/** An extra that is loaded by its name. */
const EXTRA = /\bloadExtra(?:Command|<\w+>)?\(\s*"(\w+)"/g;

/** Reads what each of these files of the project needs. Paths are relative to the working folder, with slashes. */
export function readImporters(files: readonly string[]): Importers {
  const known = new Set(files);
  const packages = readPackageNames();
  const importers = new Map<string, Set<string>>();
  const add = (file: string, importer: string): void => {
    importers.set(file, (importers.get(file) ?? new Set()).add(importer));
  };
  for (const file of files.filter((name) => CODE.test(name) && existsSync(name)))
    for (const needed of readNeeds(file, packages)) if (known.has(needed)) add(needed, file);
  for (const [program, starters] of Object.entries(STARTED_BY)) for (const starter of starters) add(program, starter);
  return importers;
}

/** The files that a file may need: what an import or a path may stand for, whether it is there or not. */
function readNeeds(file: string, packages: ReadonlyMap<string, readonly string[]>): string[] {
  const text = readFileSync(file, "utf8").replaceAll(TYPE_IMPORT, "");
  const beside = (path: string): string[] => sourcesOf(join(dirname(file), path));
  const imported = ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName }) => {
    if (fileName.startsWith(".")) return beside(fileName);
    return (
      packages.get(fileName) ?? sourcesOf(fileName.replace("@codemode/runtime/connections/", "runtime/mcp/client/"))
    );
  });
  const besides = [...text.matchAll(BESIDE)].flatMap(([, path = ""]) => beside(path));
  const named = [...text.matchAll(PATH)].flatMap(([, path = ""]) => sourcesOf(path));
  const extras = [...text.matchAll(EXTRA)].map(([, name]) => `extras/${name}/index.ts`);
  return [...imported, ...besides, ...named, ...extras];
}

/** What a path stands for: the file itself, and the source that it was compiled from. */
function sourcesOf(path: string): string[] {
  const place = normalize(path).replaceAll("\\", "/");
  const source = place.replace(/^(openapi\/|)dist\//, "$1").replace(/(?:\.js)?$/, ".ts");
  return [place, source];
}

/** The sources behind the names that the packages of this repository export. */
function readPackageNames(): Map<string, string[]> {
  const { exports, imports } = JSON.parse(readFileSync("runtime/bindings/package.json", "utf8")) as {
    exports: Record<string, Record<string, string>>;
    imports: Record<string, Record<string, string>>;
  };
  const names = { ...exports, ...imports };
  const sources = (targets: Record<string, string>): string[] =>
    Object.values(targets).map((target) => target.replace("./dist/", "").replace(/(?:\.d\.ts|\.js)$/, ".ts"));
  const entries = Object.entries(names).map(([name, targets]): [string, string[]] => [
    name.replace(/^\./, "@codemode/runtime"),
    sources(targets),
  ]);
  return new Map([["codemode", ["library/index.ts"]], ...entries]);
}

/** The tests that a file reaches, with the length of the way to each: 0 is the file itself. */
export function findTests(importers: Importers, file: string): Map<string, number> {
  const distances = new Map([[file, 0]]);
  for (const [place, distance] of distances)
    for (const importer of importers.get(place) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return new Map([...distances].filter(([place]) => place.endsWith(".test.ts")));
}
