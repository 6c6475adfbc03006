import { beforeAll, describe, expect, test } from "vitest";
import { compileSchema } from "../../runtime/host/checks/compile-schema.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { cleanInputSchema, toSchemaDocument } from "../../schemas/json-schema/clean-schema.ts";
import { printValidator } from "../../templates/validators/print-validator.ts";
import { findRefusedByTypes } from "./find-refused-by-types.ts";
import { GO } from "./generator-habits/go.ts";
import type { Habit } from "./generator-habits/habit.ts";
import { JAVA } from "./generator-habits/java.ts";
import { PYDANTIC } from "./generator-habits/pydantic.ts";
import { RUST } from "./generator-habits/rust.ts";
import { TYPEBOX } from "./generator-habits/typebox.ts";
import { VALIBOT } from "./generator-habits/valibot.ts";
import { ZOD_3 } from "./generator-habits/zod-3.ts";
import { ZOD_4 } from "./generator-habits/zod-4.ts";

const GENERATORS: readonly (readonly [string, readonly Habit[]])[] = [
  ["zod 4", ZOD_4],
  ["zod 3", ZOD_3],
  ["TypeBox", TYPEBOX],
  ["valibot", VALIBOT],
  ["pydantic and FastMCP", PYDANTIC],
  ["Go servers", GO],
  ["Rust servers", RUST],
  ["Java servers", JAVA],
];

// One run of the compiler for all of them.
const HABITS = GENERATORS.flatMap(([, habits]) => habits);
let refusedByTypes = new Set<string>();
beforeAll(async () => {
  refusedByTypes = await findRefusedByTypes(
    HABITS.map(({ printed, accepted }) => ({ clean: cleanInputSchema(printed), instances: accepted })),
  );
});

describe.each(GENERATORS)("what %s print", (_name, habits) => {
  test.each(habits)("$habit", (habit) => {
    const { printed, accepted, refused = [], excluded = [] } = habit;
    const { serverAccepts = (input: JsonValue) => !refused.includes(input) } = habit;
    expect([...accepted, ...excluded].filter((input) => !serverAccepts(input))).toEqual([]);
    expect(refused.filter((input) => serverAccepts(input))).toEqual([]);

    const clean = cleanInputSchema(printed);
    const binding = printValidator(toSchemaDocument(clean));
    const issuesOfHost = compileSchema(clean);
    const index = HABITS.indexOf(habit);
    expect(accepted.filter((_input, line) => refusedByTypes.has(`${index}:${line}`))).toEqual([]);
    expect(accepted.filter((input) => !binding.accepts(input))).toEqual([]);
    expect(accepted.flatMap((input) => issuesOfHost(input))).toEqual([]);
    // The host leaves some patterns to the server.
    expect([...refused, ...excluded].filter((input) => binding.accepts(input))).toEqual([]);
  });
});
