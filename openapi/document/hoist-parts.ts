import { arrayAt, type Json, type JsonObject, isObject, objectAt, textAt } from "../json.ts";
import { follow, invalidAt, pointTo } from "./pointer.ts";

const EXTERNAL = "#/x-ext/";

/** Bodies that several operations refer to are copied by the upgrade. */
const MAX_COPIED = 16 * 1024 * 1024;

/**
 * Moves parts of a Swagger 2.0 document that other files have to where its upgrade finds them: paths into their place, parameters and
 * responses into the sections of the document. The upgrade finds no body behind a reference: it is put in its place. Schemas are the same
 * in both versions, and stay.
 */
export function hoistParts(root: JsonObject): void {
  const sections = {
    parameters: makeSection(root, "parameters"),
    responses: makeSection(root, "responses"),
  };
  const paths = objectAt(root, "paths") ?? {};
  const used = new Set<Json>();
  for (const [path, item] of Object.entries(paths)) {
    const pointer = pointTo("#/paths", path);
    const value = isExternal(item) ? follow(root, item, pointer).value : item;
    if (!isObject(value)) continue;
    if (value !== item && used.has(value)) {
      throw invalidAt(pointer, "another path refers to the same part of another file", "Bundle the document first.");
    }
    used.add(value);
    paths[path] = value;
    sections.parameters.take(arrayAt(value, "parameters"), pointer);
    for (const operation of Object.values(value).filter(isObject)) {
      sections.parameters.take(arrayAt(operation, "parameters"), pointer);
      sections.responses.take(objectAt(operation, "responses") ?? {}, pointer);
    }
  }
}

interface Section {
  /** Replaces references to other files in a list, or in the members of an object. */
  take: (holder: Json[] | JsonObject, pointer: string) => void;
}

function makeSection(root: JsonObject, name: "parameters" | "responses"): Section {
  const section = objectAt(root, name) ?? {};
  const names = new Map<Json, string>();
  const move = (value: Json): JsonObject => {
    const known = names.get(value);
    if (known !== undefined) return { $ref: `#/${name}/${known}` };
    const free = `${name}_of_files_${names.size + 1}`;
    names.set(value, free);
    section[free] = value;
    root[name] = section;
    return { $ref: `#/${name}/${free}` };
  };
  const budget = { left: MAX_COPIED };
  const replace = (reference: JsonObject, pointer: string): JsonObject => {
    const { value } = follow(root, reference, pointer);
    if (isObject(value) && ["body", "formData"].includes(textAt(value, "in") ?? "")) {
      budget.left -= JSON.stringify(value).length;
      if (budget.left < 0)
        throw invalidAt(pointer, "the bodies of operations are too large", "Move their schemas to definitions.");
      return value;
    }
    return isExternal(reference) ? move(value) : reference;
  };
  const take: Section["take"] = (holder, pointer) => {
    for (const [key, value] of Object.entries(holder)) {
      if (isObject(value) && textAt(value, "$ref") !== undefined) {
        Object.assign(holder, { [key]: replace(value, pointer) });
      }
    }
  };
  for (const [key, value] of Object.entries(section)) {
    if (isExternal(value)) section[key] = follow(root, value, pointTo(`#/${name}`, key)).value;
  }
  return { take };
}

function isExternal(value: Json | undefined): value is JsonObject {
  return isObject(value) && (textAt(value, "$ref") ?? "").startsWith(EXTERNAL);
}
