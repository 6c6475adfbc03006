import { expect, test } from "vitest";
import { bundleModules } from "../../../engine/bundle/bundle-modules.ts";
import { linkScript } from "../../../engine/bundle/bundle-script.ts";
import { makeScriptPositions } from "../../../runtime/sandbox/pool/script-positions.ts";

const OPTIONS = { generatedFolder: "", lockfile: { servers: new Map() } };

/** The place that an answer gives for a text of the script, where its program has that text once. */
async function placesOf(code: string, text: string): Promise<(string | undefined)[]> {
  const script = { name: "script.js", code };
  const ways = [
    await linkScript(script, "script/script.js", OPTIONS),
    await bundleModules(script, "script/script.js", OPTIONS),
  ];
  return ways.map((way) => {
    if (way?.ok !== true) return undefined;
    const lines = way.bundle.code.split("\n");
    const line = lines.findIndex((one) => one.includes(text));
    const frame = `codemode:///bundle.js:${line + 1}:${(lines[line] ?? "").indexOf(text) + 1}`;
    return makeScriptPositions(way.bundle).pathOf(frame);
  });
}

test("linked as text or bundled, an error has the place that plain Node gives it", async () => {
  const code = "let total = 1;\nconst f = () => { total = 2; total  +=  5; return total; };\nexport default f();";
  expect(await placesOf(code, "= 2")).toEqual(["script.js:2:25", "script.js:2:25"]);
  expect(await placesOf(code, "+=  5")).toEqual(["script.js:2:37", "script.js:2:37"]);
  expect(await placesOf(code, "f();")).toEqual(["script.js:3:16", "script.js:3:16"]);
  // What assigns a constant is always bundled.
  expect(await placesOf("const t = 1; t = 2", "= 2")).toEqual([undefined, "script.js:1:16"]);
});
