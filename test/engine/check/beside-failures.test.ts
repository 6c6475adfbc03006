import { describe, expect, test } from "vitest";
import { RESULT_PLACE, toCheckRequest } from "../../../engine/check/check-request.ts";
import { makeScriptChecker } from "../../../engine/check/check-script.ts";
import { LOCKFILE } from "./check-project.ts";

const checker = makeScriptChecker();

/** The places of the findings of a script that failed at the place of `⟪`. */
async function besidesFailure(marked: string): Promise<(string | undefined)[]> {
  const offset = marked.indexOf("⟪");
  const before = marked.slice(0, offset).split("\n");
  const place = offset < 0 ? RESULT_PLACE : `script.ts:${before.length}:${(before.at(-1) ?? "").length + 1}`;
  const request = toCheckRequest({ code: marked.replace("⟪", ""), name: "script.ts" }, LOCKFILE);
  return (await checker.check({ ...request, failedAt: [place] })).map(({ path }) => path);
}

const MISTAKE = "const other: number = 'text';\n";

describe("beside a failure stands what can have caused it", () => {
  test.each([
    [
      "the arguments of the call that failed",
      `${MISTAKE}const count: string = 1;\nawait globalThis.⟪use(count);\nfunction use(text: string) {}`,
      ["script.ts:2:7", "script.ts:3:18"],
    ],
    [
      "what a variable was made from, over several steps",
      `${MISTAKE}const row = { title: "a" };\nconst name = row.titel;\nconst text = name + "";\ntext.⟪missing();`,
      ["script.ts:3:18", "script.ts:5:6"],
    ],
    [
      "the condition that it stands under",
      `const found: number = "1";\nif (found) {\n  ${MISTAKE}  throw ⟪new Error("found");\n}`,
      ["script.ts:1:7"],
    ],
    [
      "what a list was filled with",
      `const list: number[] = [];\nlist.push("a");\n${MISTAKE}const [first] = list;\n⟪first!.toFixed();`,
      ["script.ts:2:11"],
    ],
    [
      "the calls of the function that it stands in",
      `${MISTAKE}function half(value: number) { return ⟪value.toFixed(); }\nconsole.log(half("4"));`,
      ["script.ts:3:18"],
    ],
    [
      "the list whose elements a callback gets",
      `${MISTAKE}const rows: { a: number }[] = [{ b: 1 }];\nconsole.log(rows.map((row) => ⟪row.a.toFixed()));`,
      ["script.ts:2:34"],
    ],
    [
      "a variable that is assigned later",
      `let total: number;\n${MISTAKE}total = "1";\n⟪total.toFixed();`,
      ["script.ts:3:1"],
    ],
    [
      "the elements of a loop",
      `const rows: number[] = ["a"];\nfor (const row of rows) {\n  ${MISTAKE}  ⟪row.toFixed();\n}`,
      ["script.ts:1:25"],
    ],
    ["what the result is made from", `${MISTAKE}const sum: number = "1";\nexport default { sum };`, ["script.ts:2:7"]],
  ])("%s", async (_title, marked, places) => {
    expect(await besidesFailure(marked)).toEqual(places);
  });

  test("and nothing where the mistakes are elsewhere", async () => {
    expect(await besidesFailure(`${MISTAKE}const good = [1];\n⟪good.map(String);\n${MISTAKE}`)).toEqual([]);
  });
});
