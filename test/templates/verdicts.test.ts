import * as draft07 from "@hyperjump/json-schema/draft-07";
import * as draft2019 from "@hyperjump/json-schema/draft-2019-09";
import * as draft2020 from "@hyperjump/json-schema/draft-2020-12";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { compileSchema } from "../../runtime/host/checks/compile-schema.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { cleanSchema, toSchemaDocument } from "../../schemas/json-schema/clean-schema.ts";
import { leaveOutPatterns } from "../../schemas/json-schema/ajv-input.ts";
import { printValidator } from "../../templates/validators/print-validator.ts";
import { countCases } from "../sets/count-cases.ts";
import { type DialectName, DIALECTS, instance, schemaDocument } from "./arbitrary-schemas.ts";
import { findRefusedByTypes } from "./find-refused-by-types.ts";
import { loadValidator } from "./load-validator.ts";

const OTHERS = { "draft-07": draft07, "2019-09": draft2019, "2020-12": draft2020 };

/** The same schemas in each run of the tests: what they find is a mistake of the change at hand. */
const SEED = 20_261_122;
const SCHEMAS = countCases(150, 75);
const VALUES = 8;

interface Case {
  schema: JsonObject;
  values: JsonValue[];
  /** Of the other implementation, for each value. */
  verdicts: boolean[];
}

describe.each(Object.keys(DIALECTS) as DialectName[])("schemas of %s, beside another implementation", (dialect) => {
  let cases: Case[];
  beforeAll(async () => {
    cases = await makeCases(dialect);
  });

  test("are of use: a quarter of the values at least is accepted, and a quarter refused", () => {
    const verdicts = cases.flatMap((one) => one.verdicts);
    const share = verdicts.filter(Boolean).length / verdicts.length;
    expect(share).toBeGreaterThan(1 / 4);
    expect(share).toBeLessThan(3 / 4);
  });

  test("bindings and the host give the same verdicts; what is unevaluated may be more to them", async () => {
    const different = [];
    for (const { schema, values, verdicts } of cases) {
      const judges = await makeJudges(schema);
      const isLenient = JSON.stringify(schema).includes('"unevaluated');
      for (const [index, value] of values.entries()) {
        const verdict = verdicts[index] === true;
        const ours = judges.map((judge) => judge(value));
        const isSame = ours.every((one) => one === verdict || (one && isLenient));
        if (!isSame) different.push({ schema, value, verdict, ours });
      }
    }
    expect(different).toEqual([]);
  });

  test("without some of their patterns they accept every value that is valid", () => {
    const refused = [];
    let changed = 0;
    for (const { schema, values, verdicts } of cases) {
      const document = toSchemaDocument(cleanSchema(schema, "output"));
      const rest = leaveOutPatterns(document, (pattern) => (pattern.startsWith("^") ? 0 : Infinity));
      if (rest !== document) changed += 1;
      expect(JSON.stringify(rest)).not.toMatch(/"\^/);
      const { accepts } = printValidator(rest);
      for (const value of values.filter((_value, index) => verdicts[index] === true))
        if (!accepts(value)) refused.push({ schema, value });
    }
    expect(refused).toEqual([]);
    expect(changed).toBeGreaterThan(cases.length / 20);
  });

  test("types accept the values that are valid", async () => {
    const typed = cases.map(({ schema, values, verdicts }) => ({
      clean: cleanSchema(schema, "output"),
      instances: values.filter((_value, index) => verdicts[index]),
    }));
    const refused = await findRefusedByTypes(typed);
    expect([...refused]).toEqual([]);
  });
});

async function makeCases(dialect: DialectName): Promise<Case[]> {
  const { registerSchema, validate: compile } = OTHERS[dialect];
  const samples = fc.sample(
    fc.record({
      schema: schemaDocument(dialect),
      values: fc.array(instance, { minLength: VALUES, maxLength: VALUES }),
    }),
    { seed: SEED, numRuns: SCHEMAS },
  );
  const cases: Case[] = [];
  for (const { schema, values } of samples) {
    const uri = `https://schemas.example/${dialect}/${cases.length}`;
    registerSchema(schema as draft2020.SchemaObject, uri);
    const validate = await compile(uri);
    cases.push({ schema, values, verdicts: values.map((value) => validate(value).valid) });
  }
  return cases;
}

/** The validators of a binding and of the host, which may end at the first error. */
async function makeJudges(schema: JsonObject): Promise<((value: JsonValue) => boolean)[]> {
  const clean = cleanSchema(schema, "output");
  const validate = await loadValidator(printValidator(toSchemaDocument(clean)).source);
  const [check, checkToFirst] = [compileSchema(clean), compileSchema(clean, { allErrors: false })];
  return [validate, (value) => check(value).length === 0, (value) => checkToFirst(value).length === 0];
}
