import { describe, expect, test } from "vitest";
import { present } from "../../../serve/present.ts";
import { DEFAULTS, type ServeEntry } from "../../../schemas/config/config-file.ts";
import { toServeSettings } from "../../../schemas/config/serve-settings.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";
import { callText, manyTools, ownLockfile, plainCall, presentationOf, viewOf } from "./view-of.ts";

const listed: [ServeEntry, string[]][] = [
  [{}, ["codemode.run"]],
  [{ toolName: "codemode_run" }, ["codemode_run"]],
  [{ surface: "search" }, ["search", "execute"]],
  [{ surface: "files" }, ["listToolFiles", "readToolFile", "getToolDocs", "executeToolCode"]],
];

test.each(listed)("%j shows the tools %j", async (entry, want) => {
  const tools = await presentationOf(ownLockfile, entry).surface.listTools();
  expect(tools.map(({ name }) => name)).toEqual(want);
});

describe.each(listed)("with %j", (entry, names) => {
  const runTool = names.at(-1) as string;
  test.each(["codemode.run", "codemode_run", "codemode-run", "run", runTool])("%s runs the script", async (name) => {
    const { view, performed } = viewOf(ownLockfile);
    const input = { code: "1", input: [1], limits: { timeoutMs: 5 }, requestedCapabilities: ["memory"] };
    const result = await present(view, toServeSettings(entry)).surface.callTool(name, input, plainCall);
    expect(performed.scripts).toEqual([input]);
    const answer = { diagnostics: [], result: 1, logs: [], toolTrace: [] };
    expect(result).toEqual({ content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer });
  });

  test("no other tool is there, not even one of an object's prototype", async () => {
    for (const name of ["echo", "codemode", "constructor", "__proto__", ""])
      expect(await callText(presentationOf(ownLockfile, entry), name)).toBeUndefined();
  });
});

test("a configured name is answered on a surface that does not list it", async () => {
  const presentation = presentationOf(ownLockfile, { surface: "search", toolName: "company.code" });
  expect(await callText(presentation, "company.code", { code: "1" })).toMatchObject({ isError: false });
});

const malformed: [unknown, string][] = [
  [undefined, "The arguments must be an object."],
  [[], "The arguments must be an object."],
  [{}, 'The argument "code" must be a string.'],
  [{ code: 1 }, 'The argument "code" must be a string.'],
  [{ code: " ".repeat(512 * 1024 + 1) }, "The code is longer than 524288 characters."],
  [{ code: "", limits: 3 }, 'The argument "limits" must be an object.'],
  [{ code: "", requestedCapabilities: "memory" }, 'The argument "requestedCapabilities" must be a list of strings.'],
];

test.each(malformed)("the arguments %j are refused", async (input, want) => {
  const { view, performed } = viewOf(ownLockfile);
  const { surface } = present(view, toServeSettings());
  const result = await surface.callTool("run", input as never, plainCall);
  const diagnostics = [{ severity: "error", code: "INVALID_REQUEST", message: want, hint: expect.any(String) }];
  expect(result).toMatchObject({ isError: true, structuredContent: { result: null, diagnostics } });
  expect(result?.structuredContent).toEqual(JSON.parse(String(result?.content[0]?.["text"])));
  expect(performed.scripts).toEqual([]);
});

test("the tool describes its arguments and its answer", async () => {
  const [tool] = await presentationOf(ownLockfile).surface.listTools();
  const limits = { properties: Object.fromEntries(Object.keys(DEFAULTS.limits).map((name) => [name, {}])) };
  expect(tool).toMatchObject({
    description: expect.stringContaining("A long run first answers with a runId"),
    inputSchema: { properties: { code: {}, limits, runId: {}, cancel: {} } },
    outputSchema: { type: "object", required: ["logs", "result", "diagnostics"] },
  });
  expect(tool?.["inputSchema"]).not.toHaveProperty("required");
});

test("where runs are not detached, code is required and no run can be named", async () => {
  const [tool] = await presentationOf(ownLockfile, { detachAfterMs: 0 }).surface.listTools();
  expect(tool).toMatchObject({
    description: expect.not.stringContaining("runId"),
    inputSchema: { required: ["code"], properties: expect.not.objectContaining({ runId: expect.anything() }) },
  });
});

test("the description follows the lockfile", async () => {
  const { view, replace } = viewOf(manyTools(2000));
  const { surface, listResources } = present(view, toServeSettings());
  const before = await surface.listTools();
  expect(await surface.listTools()).toEqual(before);
  replace(lockfileOf({ shop: [{ name: "buy", inputSchema: { type: "object" } }] }));
  expect(String((await surface.listTools())[0]?.["description"])).toContain("export function buy(");
  expect(listResources()).toHaveLength(2);
});
