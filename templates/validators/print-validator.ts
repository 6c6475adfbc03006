import type { KeywordErrorCxt, Vocabulary } from "ajv/dist/types/index.js";
import { _, type Code, Name, stringify } from "ajv/dist/compile/codegen/index.js";
import Ajv from "ajv/dist/core.js";
import printStandalone from "ajv/dist/standalone/index.js";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { AJV_VOCABULARIES, validatorOptions, leaveOutPatterns } from "../../schemas/json-schema/ajv-input.ts";
import { quickLength } from "../../schemas/json-schema/quick-length.ts";
import { escapeInvisible } from "../../schemas/json/escape-invisible.ts";

/** A validator as text, and what it says of values. */
export interface PrintedValidator {
  /** A module that exports `validateInput`; it imports nothing and evaluates no text. */
  source: string;
  accepts(value: JsonValue): boolean;
}

/**
 * Prints the validator of a clean schema. Each call has an ajv of its own, so that no schema can touch another one's
 * validator and the names inside do not depend on what was printed before. Slow patterns are left to the host, which
 * matches in linear time: a server's pattern costs neither a script nor the generator its time.
 */
export function printValidator(document: JsonObject): PrintedValidator {
  const schema = leaveOutPatterns(document, quickLength);
  const ajv = new Ajv.default({ ...validatorOptions(schema), code: { source: true, esm: true, lines: true } });
  ajv.addVocabulary(VOCABULARY);
  const validate = ajv.compile(schema);
  const module = escapeInvisible(indentBlocks(toModule(printStandalone.default(ajv, validate))));
  const source = schema === document ? module : `${SLOW_PATTERNS}\n${module}`;
  return { source, accepts: (value) => accepts(validate, value) };
}

const SLOW_PATTERNS =
  "// A pattern that can take a long time is held against short texts at most; the host and the server check the others.";

/** ajv compares with functions that values may have keys of the names of; what it cannot compare is nothing to show. */
function accepts(validate: (value: JsonValue) => unknown, value: JsonValue): boolean {
  try {
    return validate(value) === true;
  } catch {
    return false;
  }
}

/** The keywords that refuse properties, and what ajv calls such a property. */
const REFUSALS = new Map([
  ["additionalProperties", "additionalProperty"],
  ["unevaluatedProperties", "unevaluatedProperty"],
]);

const VOCABULARY = AJV_VOCABULARIES.flatMap((vocabulary) => vocabulary.map(nameKnownProperties));

/** Makes errors about unknown properties name the known ones, so that a misspelt one can be set right. */
function nameKnownProperties(definition: Vocabulary[number]): Vocabulary[number] {
  if (typeof definition === "string") return definition;
  const refused = REFUSALS.get(String(definition.keyword));
  if (refused === undefined || definition.error === undefined) return definition;
  const params = ({ params: { [refused]: name }, parentSchema }: KeywordErrorCxt): Code =>
    _`{${new Name(refused)}: ${name}, known: ${stringify(Object.keys(parentSchema?.["properties"] ?? {}))}}`;
  return { ...definition, error: { ...definition.error, params } };
}

/** The lines that ajv begins a module with. */
const OPENING = /^"use strict";\nexport const validate = (\w+);\nexport default \1;\n/;

/** ajv prints `require` also into ES modules; the two functions that it means are written out instead. */
const REQUIRED = /^const (\w+) = require\("ajv\/dist\/runtime\/(ucs2length|equal)"\)\.default;$/gm;

function toModule(source: string): string {
  const body = source
    .replace(OPENING, "export const validateInput = $1;\n")
    .replace(REQUIRED, (_line, name: string, kind: string) =>
      kind === "equal" ? printEqual(name) : printLength(name),
    );
  if (!body.startsWith("export const validateInput") || /^const \w+ = require\(/m.test(body)) {
    throw new Error("ajv printed a validator that cannot stand alone.");
  }
  return withoutUnusedSchemas(body)
    .replace(/\n{2,}/g, "\n\n")
    .trimEnd();
}

/** ajv keeps every schema beside the code made from it; most are never read. */
function withoutUnusedSchemas(body: string): string {
  const declared = [...body.matchAll(/^const (schema\d+) = .*;$/gm)];
  const unused = declared.filter(([, name]) => body.split(new RegExp(`\\b${name}\\b`)).length === 2);
  return unused.reduce((text, [line]) => text.replace(`${line}\n`, () => ""), body);
}

/** Length in code points, as JSON Schema counts. */
function printLength(name: string): string {
  return `
function ${name}(text) {
let length = 0;
for (const _character of text) length += 1;
return length;
}`;
}

/** Deep equality of JSON values. */
function printEqual(name: string): string {
  return `
function ${name}(left, right) {
if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
if (Array.isArray(left) !== Array.isArray(right)) return false;
const keys = Object.keys(left);
if (keys.length !== Object.keys(right).length) return false;
return keys.every((key) => Object.hasOwn(right, key) && ${name}(left[key], right[key]));
}`;
}

/** Indents code by two spaces for each open block. A block is opened by a bracket at the end of a line and closed by one at the start. */
function indentBlocks(code: string): string {
  let depth = 0;
  return code
    .split("\n")
    .map((line) => {
      const text = line.trim();
      if (/^[}\])]/.test(text)) depth = Math.max(0, depth - 1);
      const indented = text === "" ? "" : "  ".repeat(depth) + text;
      if (/[{[(]$/.test(text)) depth += 1;
      return indented;
    })
    .join("\n");
}
