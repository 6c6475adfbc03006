import { expect, test } from "vitest";
import { DRIFT, serveProject, text } from "./serve-project.ts";

const stable = { name: "stable", inputSchema: { type: "object" }, "x-answer": text("stable") };
const added = { name: "added", inputSchema: { type: "object" }, "x-answer": text("added") };
const grown = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

const { run } = serveProject(() => ({
  servers: {
    growing: [stable, { name: "change", inputSchema: {}, "x-change": [stable, added] }],
    narrowing: [
      { name: "ask", inputSchema: { type: "object" } },
      { name: "change", inputSchema: {}, "x-change": [{ name: "ask", inputSchema: grown }] },
    ],
  },
}));

test("a list that changes while a script runs is the same for that script, and the new one for the next [8/refresh] [8.1/before-next-run] [8.2/in-flight] [8.2/next-run]", async () => {
  const { result: during, diagnostics } =
    await run(`import { change, stable, __meta__ } from "@codemode/servers/growing";
import { listTools } from "@codemode/discovery";
const names = async () => [...(await listTools("growing")).map(({ toolName }) => toolName), ...__meta__.tools.map(({ toolName }) => toolName)];
const before = await names();
await change();
const after = await names();
export default [before, after, await stable({})];`);
  const old = ["change", "stable"];
  expect(during).toEqual([[...old, ...old], [...old, ...old], "stable"]);

  // With `review` what the script uses and did not change goes on without a word.
  expect(diagnostics).toMatchObject(DRIFT === "refresh" ? [{ severity: "warning", code: "LOCK_DRIFT" }] : []);

  const next =
    'import { added, __meta__ } from "@codemode/servers/growing";\nexport default [await added({}), __meta__.tools.length];';
  expect((await run(next)).result).toEqual(["added", 2]);
  const gone = await run('import { change } from "@codemode/servers/growing"; await change();');
  expect(gone).toMatchObject({
    result: null,
    diagnostics: expect.arrayContaining([expect.objectContaining({ severity: "error" })]),
  });
});

test("a schema that changes holds from the next run on [8.1/before-next-run] [8.2/in-flight]", async () => {
  const code =
    'import { ask, change } from "@codemode/servers/narrowing";\nawait change();\nexport default await ask({});';
  expect((await run(code)).result).toBe("ask {}");
  const next = await run('import { ask } from "@codemode/servers/narrowing";\nexport default await ask({});');
  expect(next).toMatchObject({ result: null });
  expect(next.diagnostics).toContainEqual(expect.objectContaining({ errorClass: "SchemaValidationError" }));
});
