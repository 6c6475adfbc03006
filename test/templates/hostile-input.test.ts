import { parse } from "acorn";
import Ajv from "ajv/dist/core.js";
import fc from "fast-check";
import { ts } from "@ts-morph/common";
import { describe, expect, it } from "vitest";
import { ANY_CHARACTER } from "../any-character.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { AJV_VOCABULARIES, validatorOptions } from "../../schemas/json-schema/ajv-input.ts";
import { cleanSchema, toSchemaDocument } from "../../schemas/json-schema/clean-schema.ts";
import { FORMATS } from "../../schemas/json-schema/keywords.ts";
import { emitServer } from "../../templates/emit.ts";
import type { GeneratedFile } from "../../templates/generated-package.ts";
import { planServer } from "../../templates/plan.ts";
import { printValidator } from "../../templates/validators/print-validator.ts";
import { countCases } from "../sets/count-cases.ts";
import { loadValidator } from "./load-validator.ts";
import { lockedServer, type RawTool } from "./lockfile-of.ts";

const RUNS = { numRuns: countCases(100, 25) };

/** Text that tries to become code, to end a comment or to hide. */
const hostileText = fc.oneof(
  fc.string({ unit: ANY_CHARACTER }),
  fc.string(),
  fc
    .array(
      fc.constantFrom(
        "*/",
        "/*",
        "`",
        "${x}",
        '"',
        "'",
        "\\",
        "\n",
        "\r",
        "\u2028",
        "\u202e",
        "\u200b",
        "\ud800",
        "@param ",
        "{@link ",
        "-->",
        "<!--",
        "import(",
        "require(",
        "__proto__",
        "constructor",
        "export const x = 1;",
        ";}",
        " ",
        "a",
        "日",
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join("")),
);

/** Anything at all where a schema should be, with the keywords that could do harm. */
const hostileSchema: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    fc.jsonValue({ maxDepth: 2 }),
    fc.dictionary(
      fc.oneof(
        fc.constantFrom("type", "enum", "const", "properties", "required", "items", "prefixItems", "anyOf", "allOf"),
        fc.constantFrom(
          "oneOf",
          "$ref",
          "$defs",
          "$id",
          "$schema",
          "tsType",
          "title",
          "description",
          "default",
          "format",
        ),
        fc.constantFrom("additionalProperties", "patternProperties", "pattern", "examples", "extends", "id", "$async"),
        hostileText,
      ),
      fc.oneof(
        tie("schema"),
        fc.array(tie("schema"), { maxLength: 3 }),
        fc.dictionary(hostileText, tie("schema"), { maxKeys: 3 }),
        hostileText,
        fc.constantFrom("object", "array", "string", "#", "#/properties/a", "#/$defs/a", "file:///etc/passwd"),
      ),
      { maxKeys: 5 },
    ),
  ),
})).schema;

const hostileTools: fc.Arbitrary<RawTool[]> = fc.uniqueArray(
  fc.record(
    { name: hostileText, description: hostileText, inputSchema: hostileSchema, outputSchema: hostileSchema },
    { requiredKeys: ["name"] },
  ),
  { maxLength: 4, selector: (tool) => tool.name },
);

describe("any input of a server", () => {
  it("gives modules that parse and hold one binding each, and no character that a reader cannot see", async () => {
    await fc.assert(
      fc.asyncProperty(hostileTools, async (tools) => {
        const plan = planServer(lockedServer("hostile", tools));
        const files = await emitServer(plan);
        expect(files.flatMap(findMistakes)).toEqual([]);
        const paths = new Set(files.map((file) => file.path.toLowerCase()));
        expect(paths.size).toBe(files.length);
        const names = plan.tools.flatMap((tool) => [tool.exportName, ...tool.types.map((type) => type.name)]);
        expect(new Set(names).size).toBe(names.length);
      }),
      RUNS,
    );
  });
});

/** The library's own type of JSON values is readonly in places. */
const jsonValue = (maxDepth: number): fc.Arbitrary<JsonValue> => fc.jsonValue({ maxDepth }) as fc.Arbitrary<JsonValue>;

/** Schemas that are right, so that ajv alone can say what they accept. */
const soundSchema = fc.letrec<{ schema: JsonObject }>((tie) => {
  const name = fc.constantFrom("a", "b", "constructor", "a b", "*/", "日");
  const count = fc.nat({ max: 3 });
  const options = { requiredKeys: [] };
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.record({ type: fc.constantFrom("string", "null", "boolean", "integer", ["number", "null"]) }),
      fc.record(
        {
          type: fc.constant("string"),
          minLength: count,
          maxLength: count,
          pattern: fc.constantFrom("^a", "\\*/", "`"),
        },
        options,
      ),
      fc.record({ format: fc.constantFrom("date", "email", "constructor", "nonsense") }),
      fc.record({ minimum: fc.integer({ max: 3, min: -3 }), multipleOf: fc.constantFrom(0.5, 2) }, options),
      fc.record({ enum: fc.array(jsonValue(1), { minLength: 1, maxLength: 3 }) }),
      fc.record({ const: jsonValue(2) }),
      fc.record(
        {
          type: fc.constant("object"),
          properties: fc.dictionary(name, tie("schema"), { maxKeys: 3 }),
          required: fc.uniqueArray(name, { maxLength: 2 }),
          additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
          patternProperties: fc.dictionary(fc.constantFrom("^a", "b$"), tie("schema"), { maxKeys: 1 }),
          maxProperties: count,
        },
        options,
      ),
      fc.record(
        {
          prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
          items: fc.oneof(fc.boolean(), tie("schema")),
          minItems: count,
          uniqueItems: fc.boolean(),
          contains: tie("schema"),
        },
        options,
      ),
      fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }), not: tie("schema") }, options),
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      fc.record({ if: tie("schema"), then: tie("schema"), else: tie("schema") }, options),
    ),
  };
}).schema;

const instance = fc
  .oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "constructor", "a b", "*/"), fc.jsonValue({ maxDepth: 2 })),
    fc.array(fc.constantFrom("a", "ab", "2026-01-31", "*/", 1, 2, null, {}), { maxLength: 3 }),
    fc.constantFrom("a", "ab", "2026-01-31", "`", 0, 2, 0.5),
  )
  // ajv itself, which is asked for the right answer, calls these of a value that it compares.
  .filter((value) => !/"(?:toString|valueOf)":/.test(JSON.stringify(value)));

describe("a printed validator", () => {
  it("is printed where an example has what ajv's own comparison would call", async () => {
    const inputSchema = { type: "object", const: { a: {} }, examples: [{ a: { toString: 1 } }] };
    const files = await emitServer(planServer(lockedServer("server", [{ name: "tool", inputSchema }])));
    expect(files.map(({ path }) => path)).toContain("server/tools/tool.validator.js");
  });

  it("says what ajv says of the same schema", async () => {
    await fc.assert(
      fc.asyncProperty(soundSchema, fc.array(instance, { minLength: 5, maxLength: 10 }), async (schema, given) => {
        const values = JSON.parse(JSON.stringify(given)) as JsonValue[];
        const expected = interpret(withoutUnknownFormats(schema));
        const printed = await loadValidator(printValidator(toSchemaDocument(cleanSchema(schema, "output"))).source);
        expect(values.map((value) => printed(value))).toEqual(values.map((value) => expected(value)));
      }),
      RUNS,
    );
  });
});

/** ajv with its compiler instead of its printer, its keywords as they are corrected, and the same formats and multiples. */
function interpret(schema: JsonObject): (value: unknown) => boolean {
  const formats = Object.fromEntries(FORMATS);
  const { multipleOfPrecision } = validatorOptions(schema);
  const own = { formats, multipleOfPrecision };
  const ajv = new Ajv.default({
    allErrors: true,
    strict: false,
    ownProperties: true,
    logger: false,
    next: true,
    ...own,
  });
  ajv.addVocabulary(AJV_VOCABULARIES.flat());
  const validate = ajv.compile(schema);
  return (value) => validate(value) === true;
}

/** `constructor` is no format, but ajv would find a function of that name. */
function withoutUnknownFormats(schema: JsonObject): JsonObject {
  const text = JSON.stringify(schema, (key, value: JsonValue) =>
    key === "format" && value === "constructor" ? "x" : value,
  );
  return JSON.parse(text) as JsonObject;
}

function findMistakes(file: GeneratedFile): string[] {
  const mistakes: string[] = [];
  if (/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}/u.test(file.text)) mistakes.push("an invisible character");
  // The last resorts of the generator, for which no reason is known.
  if (/^(?:\/\*\*|\/\/) Warning: the schema/m.test(file.text)) mistakes.push("a part that could not be printed");
  if (file.path.endsWith(".d.ts")) mistakes.push(...findDeclarationMistakes(file.text));
  else if (file.path.endsWith(".js")) parse(file.text, { ecmaVersion: 2022, sourceType: "module" });
  else JSON.parse(file.text);
  return mistakes.map((mistake) => `${file.path}: ${mistake}\n${file.text}`);
}

/** Only exports of types, of one function, of `__meta__`, re-exports and types of the runtime may stand in a declaration file. */
function findDeclarationMistakes(text: string): string[] {
  const file = ts.createSourceFile("file.d.ts", text, ts.ScriptTarget.ESNext);
  const { parseDiagnostics } = file as unknown as { parseDiagnostics: readonly ts.Diagnostic[] };
  const kinds = file.statements.map((statement) => ts.SyntaxKind[statement.kind]);
  const expected =
    /^(?:InterfaceDeclaration|TypeAliasDeclaration|FunctionDeclaration|ExportDeclaration|ImportDeclaration|FirstStatement)$/;
  return [
    ...parseDiagnostics.map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, " ")),
    ...kinds.filter((kind) => !expected.test(kind)),
    ...file.statements
      .filter(ts.isImportDeclaration)
      .filter(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text !== "@codemode/runtime/results")
      .map(() => "an import of something else than the runtime's types"),
    ...(kinds.filter((kind) => kind === "FunctionDeclaration").length > 1 ? ["more than one function"] : []),
  ];
}
