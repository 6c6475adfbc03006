import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { makeGeneratedProject, STAND_INS } from "./run-codemode.ts";
import { serveScripts } from "./serve-clients.ts";
import { shareInFile } from "./share-in-file.ts";

async function serveWith(config: object): Promise<(code: string) => Promise<RunAnswer>> {
  const { everything } = STAND_INS;
  return serveScripts(
    await makeGeneratedProject({ "codemode.config.json": { mcpServers: { everything }, ...config } }),
  );
}

const IMPORT = 'import { get_sum } from "@codemode/servers/everything";\n';
/** It fails at the server's schema. */
const FAILING = `${IMPORT}console.log("started");\nawait get_sum({ a: "1", b: 2 });`;
/** It runs: the type is wrong but unused. */
const RUNNING = `${IMPORT}console.log("started");\nconst sum: number = "text";\nexport default await get_sum({ a: 1, b: 2 });`;

/** The answer of a failed run once the checker says something in time: it starts with the first failure. */
async function explained(run: () => Promise<RunAnswer>): Promise<RunAnswer> {
  const answer = await run();
  return answer.diagnostics.length > 1 ? answer : explained(run);
}

const WARNING = { severity: "warning", code: "TYPE_ERROR" };

test("with `warn` a script that runs gets them too", async () => {
  const run = await serveWith({ typecheck: "warn" });
  expect(await run(RUNNING)).toMatchObject({
    result: "The sum of 1 and 2 is 3.",
    diagnostics: [{ ...WARNING, path: "script.ts:3:7" }],
  });
});

test("with `error` nothing runs that has a type error", async () => {
  const run = await serveWith({ typecheck: "error" });
  expect(await run(RUNNING)).toMatchObject({
    logs: [],
    result: null,
    toolTrace: [],
    diagnostics: [{ severity: "error", code: "TYPE_ERROR", path: "script.ts:3:7" }],
  });
  const misspelt = `import { get_resource_links } from "@codemode/servers/everything";
export default await get_resource_links({ cuont: 2 });`;
  expect(await run(misspelt)).toMatchObject({
    diagnostics: [
      { severity: "error", path: "script.ts:2:43", hint: expect.stringContaining("`count` instead of `cuont`") },
    ],
  });
  // A warning stops nothing, and style issues are not reported.
  const good = `import { get_resource_links } from "@codemode/servers/everything";
const double = (value) => value * 2;
console.log(JSON.stringify(get_resource_links({ count: 2 })));
export default double(21);`;
  expect(await run(good)).toMatchObject({
    result: 42,
    diagnostics: [{ code: "MISSING_AWAIT" }, { ...WARNING, path: "script.ts:3:28" }],
  });
});

test("with `off` nothing is said of types", async () => {
  const run = await serveWith({ typecheck: "off" });
  expect((await run(FAILING)).diagnostics).toMatchObject([{ code: "UNCAUGHT_EXCEPTION" }]);
});

const byDefault = shareInFile(() => serveWith({}));

test("by default a script that failed gets its type errors beside the failure", async () => {
  const run = byDefault();
  const failed = await explained(() => run(FAILING));
  expect(failed.diagnostics).toMatchObject([
    { severity: "error", code: "UNCAUGHT_EXCEPTION" },
    { ...WARNING, path: "script.ts:3:17", hint: "Write it without quotes: `1`." },
  ]);
  expect(await run(RUNNING)).toMatchObject({ result: "The sum of 1 and 2 is 3.", diagnostics: [] });
  // A failure without type errors is reported alone.
  expect((await run("const = 1;")).diagnostics).toMatchObject([{ code: "SYNTAX_ERROR" }]);
});

// The last one: its check goes on as long as the server does.
test("a failure has no type errors beside it that it cannot follow from, and waits for no endless check", async () => {
  const run = byDefault();
  const failed = await explained(() => run(`const other: number = "text";\n${FAILING}`));
  expect(failed.diagnostics).toMatchObject([{ code: "UNCAUGHT_EXCEPTION" }, { ...WARNING, path: "script.ts:4:17" }]);
  const endless = `type Step<N extends unknown[]> = N["length"] extends 900 ? N : Step<[...N, 1]> | Step<[...N, 2]>;
const list: Step<[]> = [];
list.missing();`;
  expect((await run(endless)).diagnostics).toMatchObject([{ severity: "error", code: "UNCAUGHT_EXCEPTION" }]);
});
