import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OpenObjects } from "../../schemas/config/config-file.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { cleanSchema, toSchemaDocument } from "../../schemas/json-schema/clean-schema.ts";
import { printValidator } from "../../templates/validators/print-validator.ts";
import { findRefusedByTypes } from "./find-refused-by-types.ts";
import { loadValidator } from "./load-validator.ts";

/** A clone of json-schema-org/JSON-Schema-Test-Suite: no package has it. Without this variable, vitest leaves the file out. */
const SUITE = process.env["JSON_SCHEMA_TEST_SUITE"] ?? "";

/** Files that need other documents or a dialect of their own. */
const OUT_OF_SCOPE = new Set(["refRemote.json", "vocabulary.json"]);

/** Shares that must be reached, in per cent. */
const DIALECTS = [
  { folder: "draft7", uri: "http://json-schema.org/draft-07/schema#", verdicts: 98, accepted: 99, rejected: 41 },
  {
    folder: "draft2019-09",
    uri: "https://json-schema.org/draft/2019-09/schema",
    verdicts: 95,
    accepted: 99,
    rejected: 33,
  },
  {
    folder: "draft2020-12",
    uri: "https://json-schema.org/draft/2020-12/schema",
    verdicts: 95,
    accepted: 99,
    rejected: 31,
  },
] as const;

interface Group {
  schema: JsonValue;
  tests: { data: JsonValue; valid: boolean }[];
}

describe("the JSON Schema Test Suite", () => {
  it.each(DIALECTS)("$folder: validators agree with it", async ({ folder, uri, verdicts }) => {
    const results = await Promise.all(readGroups(folder, uri).map(evaluateByValidator));
    const right = results.flat();
    report(`${folder} verdicts`, right);
    expect(shareOf(right)).toBeGreaterThanOrEqual(verdicts);
  });

  it.each(DIALECTS)("$folder: types accept what is valid, and refuse some of what is not", async (dialect) => {
    const groups = readGroups(dialect.folder, dialect.uri);
    const [index, closed] = [await judgeByTypes(groups, "index"), await judgeByTypes(groups, "closed")];
    for (const [name, { accepted, rejected }] of Object.entries({ index, closed })) {
      report(`${dialect.folder} valid accepted (openObjects: ${name})`, accepted);
      report(`${dialect.folder} invalid rejected (openObjects: ${name})`, rejected);
    }
    expect(shareOf(index.accepted)).toBeGreaterThanOrEqual(dialect.accepted);
    expect(shareOf(index.rejected)).toBeGreaterThanOrEqual(dialect.rejected);
    expect(shareOf(closed.accepted)).toBeGreaterThanOrEqual(98);
    // What closed types refuse beyond that are literals with undeclared properties.
    expect(shareOf(closed.rejected)).toBeGreaterThanOrEqual(shareOf(index.rejected));
  });
});

/** For each valid value whether the types accept it, and for each other one whether they refuse it. */
async function judgeByTypes(groups: readonly Group[], openObjects: OpenObjects) {
  const typed = groups.map(({ schema, tests }) => ({
    clean: cleanSchema(schema, "output"),
    instances: tests.map(({ data }) => data),
  }));
  const refused = await findRefusedByTypes(typed, openObjects);
  const evaluated = groups.flatMap((group, index) =>
    group.tests.map((test, line) => ({ valid: test.valid, accepted: !refused.has(`${index}:${line}`) })),
  );
  return {
    accepted: evaluated.filter((test) => test.valid).map((test) => test.accepted),
    rejected: evaluated.filter((test) => !test.valid).map((test) => !test.accepted),
  };
}

function readGroups(folder: string, uri: string): Group[] {
  const files = readdirSync(join(SUITE, "tests", folder)).filter(
    (file) => file.endsWith(".json") && !OUT_OF_SCOPE.has(file),
  );
  return files.flatMap((file) => {
    const groups = JSON.parse(readFileSync(join(SUITE, "tests", folder, file), "utf8")) as Group[];
    return groups.map((group) => ({ ...group, schema: withDialect(group.schema, uri) }));
  });
}

function withDialect(schema: JsonValue, uri: string): JsonValue {
  return typeof schema === "object" && schema !== null && !Array.isArray(schema) ? { $schema: uri, ...schema } : schema;
}

async function evaluateByValidator(group: Group): Promise<boolean[]> {
  const validate = await loadValidator(printValidator(toSchemaDocument(cleanSchema(group.schema, "output"))).source);
  return group.tests.map((test) => validate(test.data) === test.valid);
}

function shareOf(results: readonly boolean[]): number {
  return (100 * results.filter(Boolean).length) / results.length;
}

function report(what: string, results: readonly boolean[]): void {
  process.stderr.write(
    `${what}: ${results.filter(Boolean).length} of ${results.length} (${shareOf(results).toFixed(1)} %)\n`,
  );
}
