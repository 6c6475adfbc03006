// Prints schemas/config/config-file.ts from config.schema.json: types, defaults and ranges of the configuration. A place with "x-types" has a type of
// the first name, as written, and where there are defaults one of the second name, with them filled in. With --check it only compares.
import { readFile, writeFile } from "node:fs/promises";
import { compile } from "json-schema-to-typescript";
import { format } from "oxfmt";

const SCHEMA = new URL("../schemas/config.schema.json", import.meta.url);
const PRINTED = new URL("../schemas/config/config-file.ts", import.meta.url);

const OPTIONS = { bannerComment: "", format: false, strictIndexSignatures: false };

const schema = JSON.parse(await readFile(SCHEMA, "utf8"));
const printed = await print();
if (!process.argv.includes("--check")) await writeFile(PRINTED, printed);
else if ((await readFile(PRINTED, "utf8")) !== printed) {
  console.error("schemas/config/config-file.ts is not what the schema says: run `npm run build:config-types`.");
  process.exitCode = 1;
}

async function print() {
  const types = [];
  for (const [name, { node, isFilled }] of namedTypes(schema)) {
    const code = await compile(toShape(node, isFilled), name, OPTIONS);
    types.push(code.replace(/\/\*\*\n \* (.*)\n \*\//g, "/** $1 */").replace(/\w+\[\]/g, "readonly $&"));
  }
  const parts = [
    "// Printed from config.schema.json by scripts/build-config-types.js: change the schema.",
    "/* oxlint-disable max-lines -- It is as long as the schema. */",
    'import type { JsonObject } from "../json/json.ts";',
    ...types,
    printTree(
      "What holds where the configuration says nothing; `each` is for all values of a map.",
      "DEFAULTS",
      toDefault,
    ),
    printTree("The least and the most that each number may be.", "RANGES", toRange),
  ];
  const { code, errors } = await format("config-file.ts", parts.join("\n\n"), { printWidth: 120 });
  if (errors.length > 0) throw new Error(errors[0].message);
  return code;
}

function printTree(comment, name, valueOf) {
  return `/** ${comment} */\nexport const ${name} = ${JSON.stringify(toTree(schema, valueOf))} as const;`;
}

/** A place, and what its `$ref` names: words beside the `$ref` come first. */
function follow({ $ref, ...own }) {
  return $ref === undefined ? own : { ...schema.definitions[$ref.split("/").at(-1)], ...own };
}

function membersOf({ properties = {}, additionalProperties }) {
  const each = typeof additionalProperties === "object" ? [["each", additionalProperties]] : [];
  return [...Object.entries(properties), ...each];
}

/** All types by their names, in the order of the schema. */
function namedTypes(place, found = new Map()) {
  const node = place.$ref === undefined ? place : follow({ $ref: place.$ref });
  const [written, filled] = node["x-types"] ?? [];
  if (written !== undefined) found.set(written, { node, isFilled: false });
  if (filled !== undefined) found.set(filled, { node, isFilled: true });
  for (const [, member] of membersOf(node)) namedTypes(member, found);
  return found;
}

/** A value for each place that has one, in the form of the configuration. */
function toTree(place, valueOf) {
  const node = follow(place);
  if (valueOf(node) !== undefined) return valueOf(node);
  const members = membersOf(node).map(([key, member]) => [key, toTree(member, valueOf)]);
  const known = members.filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function toDefault(node) {
  return node.default;
}

function toRange({ minimum, maximum }) {
  return minimum === undefined ? undefined : { least: minimum, most: maximum };
}

/** What json-schema-to-typescript prints as the type of a place: other named types stand there by their names. */
function toType(place, isFilled) {
  const node = follow(place);
  const [written, filled = written] = node["x-types"] ?? [];
  if (written === undefined) return toShape(node, isFilled);
  return { tsType: isFilled ? filled : written, description: place.$ref === undefined ? undefined : place.description };
}

function toShape(node, isFilled) {
  const { type, description, enum: values, items, properties, additionalProperties, required = [] } = node;
  const anyOf =
    node.anyOf ??
    (Array.isArray(type) ? type.map((each) => ({ ...node, type: each, description: undefined })) : undefined);
  if (anyOf !== undefined) return { description, anyOf: anyOf.map((each) => toShape(each, isFilled)) };
  if (values !== undefined) return { description, enum: values };
  if (type === "array") return { description, type, items: toType(items, isFilled) };
  if (type !== "object") return { description, type };
  if (properties === undefined && additionalProperties === undefined) return { description, tsType: "JsonObject" };
  const members = Object.entries(properties ?? {});
  const filled = members.filter(([, member]) => isFilled && isFilledIn(follow(member))).map(([key]) => key);
  return {
    description,
    type,
    required: [...required, ...filled],
    properties: Object.fromEntries(members.map(([key, member]) => [key, toType(member, isFilled)])),
    additionalProperties: additionalProperties && toType(additionalProperties, isFilled),
  };
}

/** Whether a place has a value in any case: a default, or members that have one, and none that is required. */
function isFilledIn({ default: value, properties = {}, required = [] }) {
  return (
    value !== undefined || (required.length === 0 && Object.values(properties).some((each) => isFilledIn(follow(each))))
  );
}
