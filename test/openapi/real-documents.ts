import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** Documents of well-known APIs as their owners publish them, compressed; they are no part of the repository. */
const FOLDER =
  process.env["OPENAPI_DOCUMENTS"] ?? fileURLToPath(new URL("../../../shared/corpus/openapi", import.meta.url));

/** Their files, such as `okta.yaml.gz`; none where the folder is absent. */
export const REAL_DOCUMENTS: readonly string[] = existsSync(FOLDER)
  ? readdirSync(FOLDER).filter((name) => name.endsWith(".gz"))
  : [];

/** What a test without them says in its name. */
export const WITHOUT_DOCUMENTS =
  REAL_DOCUMENTS.length > 0
    ? ""
    : " (skipped: there is no ../shared/corpus/openapi, and no folder in OPENAPI_DOCUMENTS)";

/** Unpacks one document into a folder, and gives its path. */
export async function unpackDocument(name: string, folder: string): Promise<string> {
  const file = join(folder, name.replace(/\.gz$/, ""));
  await mkdir(folder, { recursive: true });
  await writeFile(file, gunzipSync(await readFile(join(FOLDER, name))));
  return file;
}
