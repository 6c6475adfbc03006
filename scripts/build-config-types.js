// Prints schemas/config/config-file.ts from config.schema.json: types, defaults and ranges of the configuration. A place with "x-types" has a type of
// the first name, as written, and where there are defaults one of the second name, with them filled in. Only what code names needs one.
// Usage: node scripts/build-config-types.js [--check] [SCHEMA]; with --check it only compares.
import { readFile, writeFile } from "node:fs/promises";
import { compile } from "json-schema-to-typescript";
import { format } from "oxfmt";

const PRINTED = new URL("../schemas/config/config-file.ts", import.meta.url);
const OPTIONS = { bannerComment: "", format: false, strictIndexSignatures: false };

/** What a key does that the account has to approve (runtime/mcp/trust): start a program, reach an address, read or write a file, or nothing of that. */
const KINDS = new Set(["starts", "reaches", "reads", "writes", "plain"]);

const args = process.argv.slice(2);
const schemaFile = args.find((arg) => arg !== "--check") ?? new URL("../schemas/config.schema.json", import.meta.url);
const schema = JSON.parse(await readFile(schemaFile, "utf8"));
assertKinds(schema);
const printed = await print();
if (!args.includes("--check")) await writeFile(PRINTED, printed);
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
    "/* oxlint-disable max-lines -- It is as long as the schema. */\n",
    'import type { JsonObject } from "../json/json.ts";\n',
    ...types,
    "/** What holds where the configuration says nothing; `each` is for all values of a map. */",
    `export const DEFAULTS = ${JSON.stringify(toTree(schema, (node) => node.default))} as const;`,
    "\n/** The least and the most that each number may be. */",
    `export const RANGES = ${JSON.stringify(toTree(schema, toRange))} as const;`,
  ];
  const { code, errors } = await format("config-file.ts", parts.join("\n"), { printWidth: 120 });
  if (errors.length > 0) throw new Error(errors[0].message);
  return code;
}

/** A place, and what its `$ref` names: words beside the `$ref` come first. */
function follow({ $ref, ...own }) {
  return $ref === undefined ? own : { ...schema.definitions[$ref.split("/").at(-1)], ...own };
}

function membersOf({ properties = {}, additionalProperties }) {
  const each = typeof additionalProperties === "object" ? [["each", additionalProperties]] : [];
  return [...Object.entries(properties), ...each];
}

/** Each key has a kind of its own, or the kind of its group. A group with keys of several kinds has none, so that a new key in it needs its own. */
function assertKinds(place, path = [], above = "") {
  const node = follow(place);
  const members = membersOf(node);
  const { "x-trust": kind = above } = node;
  const key = path.join(".");
  if (members.length === 0 && kind === "") throw new Error(`${key} lacks x-trust, and so do its groups.`);
  if (kind !== "" && !KINDS.has(kind)) throw new Error(`x-trust of ${key} is none of ${[...KINDS].join(", ")}.`);
  if (above !== "" && kind !== above) throw new Error(`x-trust of ${key} is ${kind}, and a group of it says ${above}.`);
  for (const [name, member] of members) assertKinds(member, [...path, name], kind);
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

function toRange({ minimum, maximum }) {
  return minimum === undefined ? undefined : { least: minimum, most: maximum };
}

/** What json-schema-to-typescript prints for a place: a type with a name stands there by it. */
function toType(place, isFilled) {
  const node = follow(place);
  const [written, filled = written] = node["x-types"] ?? [];
  if (written === undefined) return toShape(node, isFilled);
  return { tsType: isFilled ? filled : written, description: place.$ref === undefined ? undefined : place.description };
}

function toShape(node, isFilled) {
  const { type, description, enum: values, items, properties, additionalProperties, required = [] } = node;
  const ofTypes = Array.isArray(type) ? type.map((each) => ({ ...node, type: each, description: "" })) : undefined;
  const anyOf = node.anyOf ?? ofTypes;
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
