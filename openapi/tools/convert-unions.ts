import { discriminatorOf, type Kinds } from "../document/kinds.ts";
import { follow, type Placed, pointTo } from "../document/pointer.ts";
import { arrayAt, type Json, type JsonObject, isObject, member, objectAt, textAt } from "../json.ts";

type Convert = (child: Json | undefined, ...names: (string | number)[]) => Json;

/** `allOf`, `anyOf` and `oneOf` of a schema. One fitting branch is enough for a value, also of `oneOf`: the API has the last word. */
export function convertUnions(
  { value, pointer }: Placed<JsonObject>,
  root: JsonObject,
  convert: Convert,
): (readonly [string, Json | undefined])[] {
  const discriminator = discriminatorOf(value);
  const list = (name: "allOf" | "anyOf" | "oneOf"): Json[] | undefined => {
    const branches = arrayAt(value, name);
    if (branches.length === 0) return undefined;
    return branches.map((branch, index) => {
      if (name !== "allOf" && isNullAlone(branch)) return { type: "null" };
      const converted = convert(branch, name, index);
      const reference = isObject(branch) ? textAt(branch, "$ref") : undefined;
      if (name === "allOf" || discriminator === undefined || reference === undefined) return converted;
      const place = { value: branch, pointer: pointTo(pointer, name, index) };
      const words = wordsOf(reference, discriminator.mapping) ?? nameOf(root, place, reference);
      return tellApart(converted, root, place, discriminator.property, words);
    });
  };
  const [anyOf, oneOf, allOf] = [list("anyOf"), list("oneOf"), list("allOf")];
  if (anyOf === undefined || oneOf === undefined)
    return [
      ["allOf", allOf],
      ["anyOf", anyOf ?? oneOf],
    ];
  return [
    ["allOf", [...(allOf ?? []), { anyOf: oneOf }]],
    ["anyOf", anyOf],
  ];
}

/** What generators write for "or null": to the letter of 3.0 any value, which makes the union pointless. */
function isNullAlone(branch: Json): boolean {
  if (!isObject(branch) || member(branch, "nullable") !== true) return false;
  return Object.keys(branch).every((name) => ["nullable", "description", "title", "default", "example"].includes(name));
}

/** The values that the mapping has for a branch. */
function wordsOf(reference: string, mapping: [string, Json][]): string[] | undefined {
  const name = reference.split("/").at(-1) ?? "";
  const mapped = mapping.filter(([, target]) => target === reference || target === name).map(([value]) => value);
  return mapped.length > 0 ? mapped : undefined;
}

/** Without a mapping the name of its schema stands for a branch; not of one that has branches of its own. */
function nameOf(root: JsonObject, branch: Placed, reference: string): string[] {
  const { value } = follow(root, branch.value, branch.pointer);
  const isUnion = isObject(value) && ["anyOf", "oneOf"].some((name) => arrayAt(value, name).length > 0);
  return isUnion ? [] : [reference.split("/").at(-1) ?? ""];
}

/** A branch with the values of the property that stands for it, unless its own schema says that they are others. */
function tellApart(converted: Json, root: JsonObject, branch: Placed, property: string, values: string[]): Json {
  const own = listOwnValues(root, branch, property);
  if (values.length === 0 || (own !== undefined && !values.every((value) => own.includes(value)))) return converted;
  const isNullToo = own?.includes(null) === true;
  const kind: JsonObject = values.length === 1 && !isNullToo ? { const: values[0] ?? "" } : { enum: values };
  if (isNullToo) kind["enum"] = [...values, null];
  return { allOf: [converted, { type: "object", properties: { [property]: kind } }] };
}

/** The values that a schema itself allows for a property; undefined where it allows any. */
function listOwnValues(root: JsonObject, schema: Placed, property: string, depth = 0): Json[] | undefined {
  const { value, pointer } = follow(root, schema.value, schema.pointer);
  if (!isObject(value) || depth > 8) return undefined;
  const own = member(objectAt(value, "properties") ?? {}, property);
  if (own !== undefined) {
    const found = follow(root, own, pointTo(pointer, "properties", property)).value;
    const listed = listValues(found);
    if (listed !== undefined) return listed;
  }
  const parts = arrayAt(value, "allOf").map((part, index) =>
    listOwnValues(root, { value: part, pointer: pointTo(pointer, "allOf", index) }, property, depth + 1),
  );
  return parts.find((part) => part !== undefined);
}

/** The values that the schema of a property lists, also as one of several or null. */
function listValues(schema: Json): Json[] | undefined {
  if (!isObject(schema)) return undefined;
  const said = member(schema, "const");
  const listed = said === undefined ? arrayAt(schema, "enum") : [said];
  if (listed.length > 0) return member(schema, "nullable") === true ? [...listed, null] : listed;
  if (member(schema, "type") === "null" || isNullAlone(schema)) return [null];
  const branches = ["anyOf", "oneOf"].flatMap((name) => arrayAt(schema, name)).map(listValues);
  return branches.length > 0 && !branches.includes(undefined) ? branches.flatMap((values) => values ?? []) : undefined;
}

/**
 * A base with its kinds: one of them, or the base where the document does not say that there are no others.
 * @param refer writes a reference to a kind, or to the base alone
 */
export function convertKinds(
  root: JsonObject,
  base: Placed,
  { property, kinds, isComplete }: Kinds,
  refer: (schema: Placed) => Json,
): JsonObject {
  const branches = kinds.map(({ schema, values }) => tellApart(refer(schema), root, schema, property, values));
  const mapped = kinds.flatMap(({ values }) => values);
  const own = listOwnValues(root, base, property);
  const isNeeded = isObject(base.value) && arrayAt(base.value, "required").includes(property);
  const isClosed = isComplete && isNeeded && own?.every((value) => mapped.includes(String(value))) === true;
  if (isClosed) return { anyOf: branches };
  // A kind that the document does not know has the members of the base.
  const others: JsonObject = isComplete && mapped.length > 0 ? { not: { enum: mapped } } : {};
  return { anyOf: [...branches, { allOf: [refer(base), { type: "object", properties: { [property]: others } }] }] };
}
