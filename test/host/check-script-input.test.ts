import { expect, test } from "vitest";
import { checkScriptInput } from "../../runtime/host/check-script-input.ts";

test("an input is held against the schema that the script declares", () => {
  expect(checkScriptInput(undefined, 1)).toBeUndefined();
  expect(checkScriptInput({ type: "string" }, "a")).toBeUndefined();
  expect(checkScriptInput({ type: "string" }, 1)).toMatchObject({ code: "INPUT_MISMATCH" });
});

test("a schema that would keep the host busy is refused before it is compiled", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { type: "string" }]),
  );
  expect(checkScriptInput({ properties }, {})?.message).toContain("too long");
});
