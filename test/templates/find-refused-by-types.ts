import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { OpenObjects } from "../../schemas/config/config-file.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { CleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import { printValue } from "../../schemas/text/print-value.ts";
import { declareTypes, nameTypes } from "../../templates/types/declaration-schema.ts";
import { printDeclarations } from "../../templates/types/print-declaration.ts";
import { runTsc } from "./run-tsc.ts";

/** A schema, and values that are assigned to its type. */
export interface TypedInstances {
  clean: CleanSchema;
  instances: readonly JsonValue[];
}

/**
 * Compiles one file for each schema: its types, then one line for each value. Names what is refused as `SCHEMA:VALUE`, from 0.
 * Values are literals, so that closed types refuse undeclared properties that the schema accepts.
 */
export async function findRefusedByTypes(
  schemas: readonly TypedInstances[],
  openObjects: OpenObjects = "index",
): Promise<Set<string>> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-types-"));
  try {
    const heads = await Promise.all(schemas.map(({ clean }) => printTypes(clean, openObjects)));
    const sources = schemas.map(({ instances }, index) =>
      [heads[index] ?? "", ...instances.map(printInstance)].join("\n"),
    );
    await Promise.all(sources.map((source, index) => writeFile(join(folder, `schema${index}.ts`), source)));
    const options = { strict: true, noEmit: true, target: "es2022", module: "nodenext", types: [] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
    const lines = await runTsc(join(folder, "tsconfig.json"));
    const errors = lines.flatMap((line) => [...line.matchAll(/schema(\d+)\.ts\((\d+),\d+\): error (TS\d+)/g)]);
    // A mistake of syntax would keep the compiler from looking at anything else.
    expect(errors.filter(([, , , code]) => /^TS1\d{3}$/.test(code ?? ""))).toEqual([]);
    const found = errors.map(([, schema, line]) => `${schema}:${Number(line) - linesOf(heads[Number(schema)]) - 1}`);
    expect(found.filter((place) => place.includes("-"))).toEqual([]);
    return new Set(found);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function printTypes(clean: CleanSchema, openObjects: OpenObjects): Promise<string> {
  const types = nameTypes(declareTypes(clean, openObjects), "Root", new Set(["Root"]));
  const texts = await printDeclarations(types);
  return types.map((type) => texts.get(type)).join("\n");
}

/** A value as a literal of one line. */
function printInstance(value: JsonValue, index: number): string {
  return `export const instance${index}: Root = ${printValue(value).replace(/\n\s*/g, " ")};`;
}

function linesOf(text = ""): number {
  return text.split("\n").length;
}
