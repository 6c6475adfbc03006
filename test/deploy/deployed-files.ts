import { readFile } from "node:fs/promises";
import { parseAllDocuments } from "yaml";
import type { JsonObject } from "../../schemas/json/json.ts";

/** A file of this repository that describes how codemode is deployed. */
export function readDeployed(path: string): Promise<string> {
  return readFile(path, "utf8");
}

/** All documents of a YAML file; a mistake in the YAML is thrown, a warning too. */
export async function readDocuments(path: string): Promise<JsonObject[]> {
  return parseAllDocuments(await readDeployed(path)).map((document) => {
    for (const problem of [...document.errors, ...document.warnings]) throw problem;
    return document.toJS() as JsonObject;
  });
}

/** The variables that a configuration takes from the environment. */
export async function listPlaceholders(path: string): Promise<string[]> {
  return [...(await readDeployed(path)).matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name = ""]) => name).toSorted();
}
