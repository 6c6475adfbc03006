import { Ajv2020 } from "ajv/dist/2020.js";
import { type ApiDocument, parseDocument } from "../../openapi/document/parse-document.ts";
import { follow, type Placed, pointTo, resolvePointer } from "../../openapi/document/pointer.ts";
import { isObject, type Json, type JsonObject, member, objectAt } from "../../openapi/json.ts";
import { isJson } from "../../openapi/media-types.ts";
import { listOperations, type Operation } from "../../openapi/operations.ts";
import { convertSchema, type Direction } from "../../openapi/tools/convert-schema.ts";
import { makeTools } from "../../openapi/tools/make-tools.ts";
import { chooseAnswer, listSuccesses } from "../../openapi/tools/result-schema.ts";
import { createSchemaLibrary } from "../../openapi/tools/schema-library.ts";
import { openOriginals } from "./original-schemas.ts";
import { makeRandom, makeValue, type Random, type ValueSource } from "./schema-values.ts";

/** What a comparison found. */
export interface Comparison {
  schemas: number;
  /** Values that the original accepts. */
  values: number;
  /** The values of them that ours refuses, with the reason. */
  refused: string[];
  /** Values of ours where nothing was left out. */
  backValues: number;
  /** The values of them that the original refuses. */
  backRefused: string[];
}

/** How much is tried. */
export interface Extent {
  seed: number;
  /** The share of the schemas and operations. */
  share: number;
  /** Values of each. */
  tries: number;
  /** How long a schema may be: the last one is the limit of tools. */
  lengths: readonly number[];
}

const AJV = { strict: false, validateFormats: false, validateSchema: false, logger: false } as const;
const HIDDEN = { input: "readOnly", output: "writeOnly" } as const;

/** Compares the named schemas and the operations of a document with what tools say of them. */
export async function compareDocument(location: string, extent: Extent): Promise<Comparison> {
  const document = await parseDocument(location);
  const random = makeRandom(extent.seed);
  const found: Comparison = { schemas: 0, values: 0, refused: [], backValues: 0, backRefused: [] };
  for (const direction of ["input", "output"] as const) compareNamed(document, direction, extent, random, found);
  compareOperations(document, extent, random, found);
  return found;
}

function listNamed({ root }: ApiDocument): string[] {
  const places: [string, JsonObject | undefined][] = [
    ["#/components/schemas", objectAt(objectAt(root, "components") ?? {}, "schemas")],
    ["#/definitions", objectAt(root, "definitions")],
  ];
  return places.flatMap(([place, schemas]) => Object.keys(schemas ?? {}).map((name) => pointTo(place, name)));
}

function compareNamed(
  document: ApiDocument,
  direction: Direction,
  extent: Extent,
  random: Random,
  found: Comparison,
): void {
  const { root } = document;
  const original = openOriginals(root, HIDDEN[direction]);
  const library = createSchemaLibrary(root);
  const source: ValueSource = { root, random, hidden: HIDDEN[direction], fits: fitsKind(original) };
  for (const reference of listNamed(document)) {
    if (random() >= extent.share) continue;
    const schema: Placed = { value: { $ref: reference }, pointer: "#" };
    const fits = original(schema.value);
    const values = makeFitting(extent.tries, () => makeValue(source, schema), fits);
    found.schemas += 1;
    found.values += values.length;
    for (const length of extent.lengths) {
      const closed = library.close({ properties: { value: library.write(schema, direction) } }, direction, length);
      const accepts = new Ajv2020(AJV).compile(closed);
      for (const value of values)
        if (!accepts({ value }))
          found.refused.push(say(`${direction} ${reference} in ${length}`, value, accepts.errors));
      if (length !== extent.lengths.at(-1) || !isExact(root, reference, direction) || isShortened(closed)) continue;
      const own: ValueSource = { root: closed, random, hidden: undefined };
      const property: Placed = {
        value: objectAt(closed, "properties")?.["value"] ?? {},
        pointer: "#/properties/value",
      };
      const ours = makeFitting(
        extent.tries,
        () => makeValue(own, property),
        (value) => accepts({ value }),
      );
      found.backValues += ours.length;
      for (const value of ours)
        if (!fits(value)) found.backRefused.push(say(`${direction} ${reference}`, value, fits.errors));
    }
  }
}

/** Each kind is compiled once. */
function fitsKind(original: ReturnType<typeof openOriginals>): ValueSource["fits"] {
  const known = new Map<string, ReturnType<typeof original>>();
  return ({ pointer }, value) => {
    const fits = known.get(pointer) ?? original({ $ref: pointer });
    known.set(pointer, fits);
    return fits(value) === true;
  };
}

function makeFitting(tries: number, make: () => Json, fits: (value: Json) => unknown): Json[] {
  return Array.from({ length: tries }, make).filter((value) => fits(value) === true);
}

function say(place: string, value: Json, errors: unknown): string {
  return `${place}: ${JSON.stringify(value).slice(0, 300)} ${JSON.stringify(errors).slice(0, 300)}`;
}

function isShortened(closed: JsonObject): boolean {
  return JSON.stringify(closed).includes("because the whole is large");
}

/** Whether nothing that a schema refers to is widened when it is converted. */
function isExact(root: JsonObject, reference: string, direction: Direction): boolean {
  let isWider = false;
  const seen = new Set<string>();
  const left = [reference];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const target = follow(root, resolvePointer(root, next, "#").value, next);
    if (seen.has(target.pointer)) continue;
    seen.add(target.pointer);
    convertSchema(target, {
      ...{ root, direction, int64: "number" },
      widen: () => {
        isWider = true;
      },
      refer: (inner) => {
        left.push(inner);
        return {};
      },
    });
  }
  return !isWider;
}

/** The input of each operation with a body of JSON, and its answer. */
function compareOperations(document: ApiDocument, extent: Extent, random: Random, found: Comparison): void {
  const { root } = document;
  const originals = { input: openOriginals(root, "readOnly"), output: openOriginals(root, "writeOnly") };
  const all = listOperations(document);
  const some = all.filter(() => random() < extent.share);
  if (some.length === 0) return;
  const none = new Set<string>();
  const tools = makeTools(document, all, some, { outputSchemas: true, hidden: none, fixed: none, addressOf: () => "" });
  for (const { name, operation, plan, result, definition } of tools) {
    const bodySchema = schemaOf(operation.body?.content.find(({ mediaType }) => mediaType === plan.body?.mediaType));
    const given = plan.arguments.filter(({ required, target }) => required && typeof target === "object");
    if (bodySchema !== undefined && plan.body?.kind === "json" && plan.body.withFiles === undefined) {
      const accepts = new Ajv2020(AJV).compile(definition.inputSchema);
      const source: ValueSource = { root, random, hidden: "readOnly", fits: fitsKind(originals.input) };
      const fits = originals.input(bodySchema.value);
      for (const body of makeFitting(extent.tries, () => makeValue(source, bodySchema), fits)) {
        const input: JsonObject = Object.fromEntries(
          given.map(({ name: argument, target }) => [
            argument,
            typeof target === "object" ? makeValue(source, target.schema) : null,
          ]),
        );
        // Parameters are made as well as they can be: where one does not fit, the body is not tried.
        const isFlat = plan.arguments.some(({ target }) => target === "field");
        if (!isFlat) input["body"] = body;
        else if (isObject(body))
          for (const { name: argument, wireName, target } of plan.arguments)
            if (target === "field" && member(body, wireName) !== undefined) input[argument] = member(body, wireName);
        found.values += 1;
        if (accepts(input)) continue;
        const isOfParameter = given.some(({ name: argument }) =>
          accepts.errors?.[0]?.instancePath.startsWith(`/${argument}`),
        );
        if (!isOfParameter) found.refused.push(say(`arguments of ${name}`, input, accepts.errors));
      }
    }
    const answer = answerOf(operation);
    if (answer === undefined || definition.outputSchema === undefined) continue;
    const accepts = new Ajv2020(AJV).compile(definition.outputSchema as JsonObject);
    const source: ValueSource = { root, random, hidden: "writeOnly", fits: fitsKind(originals.output) };
    for (const value of makeFitting(extent.tries, () => makeValue(source, answer), originals.output(answer.value))) {
      const structured = result.isWrapped || !isObject(value) ? { body: value } : value;
      found.values += 1;
      if (!accepts(structured)) found.refused.push(say(`answer of ${name}`, structured, accepts.errors));
    }
  }
}

function answerOf({ responses }: Operation): Placed | undefined {
  const media = listSuccesses(responses).flatMap(({ content }) => chooseAnswer(content) ?? [])[0];
  return media !== undefined && isJson(media.mediaType) ? schemaOf(media) : undefined;
}

function schemaOf(media: { value: JsonObject; pointer: string } | undefined): Placed | undefined {
  const value = media && member(media.value, "schema");
  return media === undefined || value === undefined ? undefined : { value, pointer: pointTo(media.pointer, "schema") };
}
