import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Compares the version of the package with every other place that says it, and with the changelog. Returns what is wrong. */
export async function findVersionProblems(root) {
  const read = (path) => readFile(join(root, path), "utf8");
  const readJson = async (path) => JSON.parse(await read(path));
  const [command, runtime, openapi, lock] = await Promise.all(
    ["package.json", "runtime/bindings/package.json", "openapi/package.json", "package-lock.json"].map(readJson),
  );
  const [source, ofOpenApi, changelog, kustomization] = await Promise.all(
    ["schemas/version.ts", "openapi/version.ts", "CHANGELOG.md", "deploy/kustomization.yaml"].map(read),
  );
  const { version } = command;
  const said = {
    "the dependency on @codemode/runtime in package.json": command.dependencies?.["@codemode/runtime"],
    "runtime/bindings/package.json": runtime.version,
    "openapi/package.json": openapi.version,
    "package-lock.json": lock.version,
    "the root of package-lock.json": lock.packages?.[""]?.version,
    "runtime/bindings in package-lock.json": lock.packages?.["runtime/bindings"]?.version,
    "openapi in package-lock.json": lock.packages?.["openapi"]?.version,
    "openapi/version.ts": /VERSION = "([^"]*)"/.exec(ofOpenApi)?.[1],
    "schemas/version.ts": /VERSION = "([^"]*)"/.exec(source)?.[1],
    "the newest release in CHANGELOG.md": /^## \[(\d[^\]]*)\] - \d{4}-\d{2}-\d{2}$/m.exec(changelog)?.[1],
    "deploy/kustomization.yaml": /newTag: "([^"]*)"/.exec(kustomization)?.[1],
  };
  return Object.entries(said).flatMap(([place, found]) =>
    found === version ? [] : [`${place} says ${found ?? "no version"}, package.json ${version}`],
  );
}
