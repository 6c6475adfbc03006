import { describe, expect, test } from "vitest";
import { typeErrorsOf } from "./check-project.ts";

const ECHO = 'import { echo } from "@codemode/servers/everything";\n';

async function findingsOf(code: string): Promise<string[]> {
  return (await typeErrorsOf(ECHO + code)).map(({ severity, path }) => `${severity} ${path}`);
}

describe("a tool of whose results nothing is known", () => {
  test.each([
    [
      "a result that is parsed",
      'const { rows } = JSON.parse(await echo({ message: "x" }));\nexport default rows[0].id + 1;',
    ],
    [
      "every use of what was parsed",
      `const answer = await echo({ message: "x" });
       const data = JSON.parse(answer);
       for (const row of data.rows) console.log(row.id.toFixed(2));
       const names = data.rows.map(({ name }) => name).filter((name) => name !== "").sort((a, b) => a.length - b.length);
       export default { total: data.total + 1, names };`,
    ],
    [
      "a reviver",
      'export default JSON.parse(await echo({ message: "x" }), (_key, value) => value ?? 0).total.toFixed(2);',
    ],
    [
      "the result of a helper",
      'const ask = async (message: string) => JSON.parse(await echo({ message }));\nexport default (await ask("x")).a.b.c;',
    ],
  ])("%s is no finding", async (_title, code) => {
    expect(await findingsOf(code)).toEqual([]);
  });

  test.each([
    [
      "text methods",
      'const text = await echo({ message: "x" });\nexport default [text.split("\\n").map((line) => line.trim()), text.length, text.trim()];',
      "warning script.ts:3:22",
    ],
    [
      "arithmetic",
      'const a = await echo({ message: "1" });\nconst b = a + 1;\nexport default b * 2;',
      "warning script.ts:3:11",
    ],
    [
      "fields",
      'const answer = await echo({ message: "x" });\nexport default [answer.id, answer.name, answer.rows.length];',
      "warning script.ts:3:24",
    ],
  ])("%s of the result are one warning", async (_title, code, finding) => {
    expect(await findingsOf(code)).toEqual([finding]);
  });

  test("a mistake beside it stays an error, and the only one", async () => {
    const code = 'const data = JSON.parse(await echo({ mesage: "x" }));\nexport default data.rows.length;';
    expect(await findingsOf(code)).toEqual(["error script.ts:2:38"]);
  });

  test("what cannot be JSON text is one error", async () => {
    expect(await findingsOf("const data = JSON.parse({ a: 1 });\nconsole.log(data.a, data.b.c);")).toEqual([
      "error script.ts:2:25",
    ]);
    expect(await findingsOf('const data = JSON.parse(echo({ message: "x" }));\nconsole.log(data.a.b);')).toEqual([
      "error script.ts:2:25",
    ]);
  });
});
