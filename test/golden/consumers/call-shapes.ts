import * as arguments_ from "@codemode/servers/case-arguments";
import * as globals from "@codemode/servers/case-globals";
import * as outputs from "@codemode/servers/case-outputs";
import * as references from "@codemode/servers/case-references";
import * as types from "@codemode/servers/case-types";

// Tools without arguments accept nothing or an empty object (specification 5.3.1).
await arguments_.absent_schema();
await arguments_.empty_schema({});
await arguments_.no_properties();
await arguments_.closed_empty({});
await arguments_.closed_empty();
await arguments_.all_optional();
await arguments_.all_optional({ b: 4 });
await arguments_.array_root(["a"]);
await arguments_.string_root("a");
// @ts-expect-error -- nothing goes into a closed empty object
await arguments_.closed_empty({ a: 1 });
// @ts-expect-error -- an optional argument is misspelt
await arguments_.all_optional({ c: 4 });
// @ts-expect-error -- a required argument is missing
await arguments_.one_required({ b: 4 });
// @ts-expect-error -- the root is an array
await arguments_.array_root({});

// Whatever a tool or a definition is called, the types mean what they say.
export const promised: globals.PromiseOutput = await globals.Promise({ value: "a" });
export const recorded: string = (await globals.Record({ value: "a" })).value;

const union = await outputs.union_output();
export const error: string | undefined = union.ok ? undefined : union.error;
export const items: readonly { id: string }[] = (await outputs.object_output()).items ?? [];
export const count: number = (await outputs.array_output()).length + (await outputs.text_output()).length;

await references.tree({ root: { name: "a", children: [{ name: "b" }] } });
await references.to_root({ value: "a", next: { value: "b", next: { value: "c" } } });
await references.to_property({ from: { x: 1, y: 2 }, to: { x: 3, y: 4 }, list: [1] });
await references.json_value({ json: { a: [1, null, { b: "c" }] } });
// @ts-expect-error -- a definition is closed below the root too
await references.tree({ root: { name: "a", children: [{ nam: "b" }] } });
// @ts-expect-error -- a reference to a property has its type
await references.to_property({ to: { x: "3", y: 4 } });

await types.unions({ any: null, one: { kind: "b", y: 1 }, many: 5, list: ["a", null], both: { a: "a", b: 1 } });
await types.values({ e: null, c: 42, o: { a: [1, "x"] }, one: "single" });
await types.nullable({ a: null, b: null });
await types.maps({ text: { any: "text" }, mixed: { n: 1, other: "text" }, closed: {}, undeclared: { x: 1 } });
// @ts-expect-error -- no member of the union
await types.unions({ one: { kind: "a", y: 1 } });
// @ts-expect-error -- not one of the values
await types.values({ e: "c" });
// @ts-expect-error -- the values of this map are texts
await types.maps({ text: { any: 1 } });
