import { createHash } from "node:crypto";
import { basename, dirname, extname, resolve } from "node:path";
import { bundle } from "@scalar/json-magic/bundle";
import { type Json, type JsonObject, isObject } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";
import { parseText } from "./parse-text.ts";
import { type Placed, pointTo } from "./pointer.ts";
import { isAddress, type SourceReader } from "./read-source.ts";

/** Brings what other files have into the document, below `x-ext`, so that every `$ref` is local. Only the reader reads. */
export async function bundleReferences(root: JsonObject, reader: SourceReader): Promise<void> {
  const queries = new Map<string, string>();
  const external = listExternalReferences(root, (reference) => keepQuery(reference, reader.main, queries));
  if (external.length === 0) return;
  // json-magic would print what it cannot load: every refusal is an error before that.
  const failures: unknown[] = [];
  const load = async (location: string): Promise<{ ok: true; data: Json; raw: string }> => {
    const address = queries.get(location) ?? location;
    try {
      const raw = await reader.read(address);
      const data = parseText(raw, address);
      if (!isObject(data) && !Array.isArray(data)) throw noObject(location);
      listExternalReferences(data, (reference) => keepQuery(reference, address, queries));
      return { ok: true, data, raw };
    } catch (error) {
      failures.push(placeFailure(error, location, external, reader.main));
      throw error;
    }
  };
  const loader = { type: "loader" as const, validate: () => true, exec: load };
  try {
    await bundle(root, { plugins: [loader], treeShake: false, origin: reader.main, compress: nameFile });
  } catch (error) {
    throw failures[0] ?? error;
  }
}

/**
 * The bundler compares addresses by their path alone. One with a query gets a path of its own, in the same folder, and `queries` says what
 * it stands for.
 */
function keepQuery(reference: string, base: string, queries: Map<string, string>): string {
  const [address = "", fragment] = reference.split("#", 2);
  if (!isAddress(base) || !address.includes("?") || !URL.canParse(address, base)) return reference;
  const url = new URL(address, base);
  const path = new URL(url.pathname, url);
  const extension = extname(path.pathname);
  path.pathname = `${path.pathname.slice(0, path.pathname.length - extension.length)}_${hash(url.search)}${extension}`;
  queries.set(path.href, url.href);
  return fragment === undefined ? path.href : `${path.href}#${fragment}`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** Their members have names of the author; what is called `default` there is no keyword. */
const MAPS = new Set([
  ...[
    "properties",
    "patternProperties",
    "schemas",
    "definitions",
    "$defs",
    "dependentSchemas",
    "parameters",
    "headers",
  ],
  ...[
    "responses",
    "requestBodies",
    "securitySchemes",
    "links",
    "callbacks",
    "pathItems",
    "paths",
    "content",
    "encoding",
  ],
  ...["variables", "mapping", "examples"],
]);
const VALUES = new Set(["default", "example", "const", "enum"]);

/** Whether a member is a value, such as an example: what looks like a reference in it is none. */
function isValue(path: readonly string[], child: Json): boolean {
  const [key = "", parent = "", before = ""] = path.slice(-3).toReversed();
  if (key === "value" && before === "examples") return true;
  if (MAPS.has(parent)) return false;
  return VALUES.has(key) || key.startsWith("x-") || (key === "examples" && Array.isArray(child));
}

/** All references to other files, with their places. Those within values are taken out: nothing is to follow them. */
function listExternalReferences(root: JsonObject | Json[], rewrite: (reference: string) => string): Placed<string>[] {
  const found: Placed<string>[] = [];
  const visit = (value: Json | undefined, path: readonly string[], isData: boolean): void => {
    if (typeof value !== "object" || value === null) return;
    const reference = isObject(value) ? value["$ref"] : undefined;
    if (isObject(value) && typeof reference === "string" && !reference.startsWith("#")) {
      if (isData) delete value["$ref"];
      else {
        value["$ref"] = rewrite(reference);
        found.push({ value: value["$ref"], pointer: pointTo("#", ...path) });
      }
    }
    for (const [name, child] of Object.entries(value)) {
      if (typeof child !== "object" || child === null) continue;
      const inner = [...path, name];
      visit(child, inner, isData || isValue(inner, child));
    }
  };
  visit(root, [], false);
  return found;
}

/** Says where the reference is that could not be followed; one within another file is named by that file alone. */
function placeFailure(error: unknown, location: string, external: Placed<string>[], main: string): unknown {
  if (!(error instanceof OpenApiError)) return error;
  const place = external.find(({ value }) => locate(value, main) === location);
  return place === undefined ? error : new OpenApiError(error.code, `${place.pointer}: ${error.message}`, error.hint);
}

function locate(reference: string, main: string): string {
  const [path = ""] = reference.split("#", 1);
  if (isAddress(path) || !isAddress(main)) return isAddress(path) ? path : resolve(dirname(main), path);
  return new URL(path, main).href;
}

/** A name for a file in `x-ext`, which shows in names of types: `pet_1a2b3c4d`. */
function nameFile(location: string): string {
  return `${basename(location, extname(location)).replaceAll(/[^A-Za-z0-9_]/g, "_")}_${hash(location)}`;
}

function noObject(location: string): OpenApiError {
  return new OpenApiError("DOCUMENT_INVALID", `${location} has no object in it`, "Refer to a file with JSON or YAML.");
}
