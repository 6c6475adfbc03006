import { isDeepStrictEqual } from "node:util";
import { registerSchema, type SchemaObject, validate as compileElsewhere } from "@hyperjump/json-schema/draft-2020-12";
import { expect, test } from "vitest";
import { compileSchema } from "../../runtime/host/checks/compile-schema.ts";
import { toSchemaDocument } from "../../schemas/json-schema/clean-schema.ts";
import { planServer } from "../../templates/plan.ts";
import type { ToolPlan } from "../../templates/server-plan.ts";
import { goldenFiles, goldenLockfile } from "./golden-package.ts";
import { loadValidator } from "./load-validator.ts";
import { planValues } from "./plan-values.ts";

const sources = new Map(goldenFiles.map(({ path, text }) => [path, text]));

/** What both of our judges leave to others: ajv skips a property of this name. The other implementation checks no format. */
const SKIPPED = '"__proto__":';
const STRICTER = '"format":';

test.each([...goldenLockfile.servers.keys()])("%s: its validators judge as another implementation does", async (id) => {
  const { tools } = planServer(goldenLockfile.servers.get(id) ?? expect.fail(id));
  const different = await Promise.all(tools.map((tool) => findDifferences(id, tool)));
  expect(different.flat()).toEqual([]);
});

/** Values of which the emitted validator, the host and the other implementation do not say the same. */
async function findDifferences(id: string, tool: ToolPlan): Promise<unknown[]> {
  const validate = await loadValidator(sources.get(`${id}/${tool.file}.validator.js`) ?? expect.fail(tool.file));
  const check = compileSchema(tool.input);
  const document = toSchemaDocument(tool.input);
  const uri = `https://schemas.example/golden/${id}/${tool.exportName}`;
  registerSchema({ $schema: "https://json-schema.org/draft/2020-12/schema", ...document } as SchemaObject, uri);
  const isValid = await compileElsewhere(uri);
  const verdicts = planValues(tool.input).map((value) => {
    const [own, [error]] = [validate(value), check(value)];
    const place = own ? undefined : [validate.errors?.[0]?.keyword, validate.errors?.[0]?.instancePath];
    const placeForHost = error && [error.keyword, error.instancePath];
    return { tool: tool.exportName, value, own, other: isValid(value as never).valid, place, placeForHost };
  });
  expect(new Set(verdicts.map(({ own }) => own)), `${tool.exportName} accepts some and refuses some`).toEqual(
    new Set([true, false]),
  );
  const isStricter = JSON.stringify(document).includes(STRICTER);
  return verdicts.filter(({ value, own, other, place, placeForHost }) => {
    const isByDesign = own ? JSON.stringify(value).includes(SKIPPED) : isStricter;
    return !isDeepStrictEqual(place, placeForHost) || (own !== other && !isByDesign);
  });
}
