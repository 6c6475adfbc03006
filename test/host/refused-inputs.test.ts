import { describeIssues } from "@codemode/runtime/validation";
import { expect, test } from "vitest";
import { makeInputCheck } from "../../runtime/host/checks/input-check.ts";
import { exampleOf } from "../../runtime/host/checks/example-of.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { LockedServer, LockedTool } from "../../schemas/lock/lockfile.ts";
import { emitServer } from "../../templates/emit.ts";
import { planServer } from "../../templates/plan.ts";
import { loadValidator } from "../templates/load-validator.ts";
import { lockedServer } from "../templates/lockfile-of.ts";

const closed = (properties: JsonValue, more: object = {}): JsonValue => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});

const server = lockedServer("trips", [
  {
    name: "book-trip",
    inputSchema: closed(
      {
        city: { type: "string", minLength: 3 },
        legs: { type: "array", items: { $ref: "#/$defs/leg" } },
        "a/b c": closed({ inner: {} }),
        fare: { anyOf: [{ type: "string" }, closed({ amount: { type: "number" }, currency: {} })] },
        back: { $ref: "#" },
        open: { type: "object", properties: { known: {} } },
        late: { type: "object", properties: { minutes: {} }, unevaluatedProperties: false },
      },
      { required: ["city"], $defs: { leg: closed({ "flight no": {}, __proto__: {} }) } },
    ),
  },
]);
const [tool] = server.tools as [LockedTool];
const checkInput = makeInputCheck();

test.each<[name: string, input: JsonValue, pointer: string, hint: string]>([
  ["at the root", { city: "Oslo", clty: 1 }, "/clty", 'Rename "clty" to "city".'],
  [
    "in a definition",
    { city: "Oslo", legs: [{}, { fligth_no: 1 }] },
    "/legs/1/fligth_no",
    'Rename "fligth_no" to "flight no".',
  ],
  [
    "below a name that needs escaping",
    { city: "Oslo", "a/b c": { iner: 1 } },
    "/a~1b c/iner",
    'Rename "iner" to "inner".',
  ],
  ["in a branch of a union", { city: "Oslo", fare: { amuont: 9 } }, "/fare/amuont", 'Rename "amuont" to "amount".'],
  [
    "in a schema that refers to itself",
    { city: "Oslo", back: { city: "Bern", opne: 1 } },
    "/back/opne",
    'Rename "opne" to "open".',
  ],
  ["that nothing evaluates", { city: "Oslo", late: { minuets: 5 } }, "/late/minuets", 'Rename "minuets" to "minutes".'],
  [
    "that is like none",
    { city: "Oslo", pet: "cat" },
    "/pet",
    'Remove "pet"; known here: a/b c, back, city, fare, late, legs, open.',
  ],
  [
    "named like what every object inherits",
    { city: "Oslo", fare: { constructor: 1 } },
    "/fare/constructor",
    'Remove "constructor"; known here: amount, currency.',
  ],
])(
  "a property %s gets the same message and hint from the binding and from the host",
  async (_, input, pointer, hint) => {
    const named = { serverId: "trips", toolName: tool.name, exportName: tool.exportName };
    const fromHost = describeIssues({ ...named, example: exampleOf(tool, checkInput) }, input, checkInput(tool, input));
    const binding = await loadBinding(server);
    binding.validateInput(input);
    const fromBinding = describeIssues(binding, input, binding.validateInput.errors ?? []);
    expect(fromHost).toMatchObject({ pointer, hint, expected: "absent", example: { city: "text" } });
    expect(fromBinding).toEqual(fromHost);
  },
);

test("an example of the schema's own comes first, and none is shown that the schema refuses", () => {
  const lock = (inputSchema: JsonValue): LockedTool =>
    lockedServer("a", [{ name: "b", inputSchema }]).tools[0] as LockedTool;
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  expect(exampleOf(lock({ ...schema, examples: [{ n: "?" }, { n: 42 }] }), checkInput)).toEqual({ n: 42 });
  expect(exampleOf(lock({ ...schema, not: {} }), checkInput)).toBeUndefined();
});

/** What the generated binding knows of its tool, read out of its module. */
async function loadBinding(locked: LockedServer) {
  const files = await emitServer(planServer(locked));
  const textOf = (ending: string): string => files.find(({ path }) => path.endsWith(ending))?.text ?? "";
  const validateInput = await loadValidator(textOf("/tools/book_trip.validator.js"));
  const [, literal] = /const tool = (\{.*?\n\});/s.exec(textOf("/tools/book_trip.js")) ?? [];
  // oxlint-disable-next-line no-new-func -- the module imports the runtime, which wants a sandbox
  return new Function("validateInput", `return ${literal};`)(validateInput) as Parameters<typeof describeIssues>[0] & {
    validateInput: typeof validateInput;
  };
}
