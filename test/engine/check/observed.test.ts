import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { toCheckRequest } from "../../../engine/check/check-request.ts";
import { makeScriptChecker } from "../../../engine/check/check-script.ts";
import { lockedServer, observe } from "../../templates/lockfile-of.ts";

const RESULTS: Record<string, JsonValue[]> = {
  get_issue: [
    JSON.stringify({ number: 1, title: "First", author: { login: "ada" }, closedBy: null }),
    JSON.stringify({ number: 2, title: "Second", author: { login: "bob" }, closedBy: null, labels: [{ name: "bug" }] }),
  ],
  echo: ["Echo: hi"],
  take: [{ rows: [{ id: 1 }] }],
  ask: ['[{"title": "one"}]'],
  either: ['["one"]', '[{"id": 1, "title": "One"}]'],
};

const server = observe(
  lockedServer("tracker", [
    { name: "get_issue", inputSchema: { type: "object", properties: { number: { type: "number" } } } },
    { name: "echo", inputSchema: { type: "object", properties: { message: { type: "string" } } } },
    { name: "take" },
    { name: "either" },
    { name: "ask", inputSchema: { type: "object", properties: { query: { type: "string" } } } },
    { name: "never_seen" },
  ]),
  RESULTS,
);
const checker = makeScriptChecker();

async function diagnose(
  code: string,
): Promise<{ severity: string; message: string; hint: string | undefined; path: string | undefined }[]> {
  const script = { name: "script.ts", code: `import * as tracker from "@codemode/servers/tracker";\n${code}` };
  const found = await checker.check(toCheckRequest(script, { servers: new Map([["tracker", server]]) }));
  return found.map(({ severity, message, hint, path }) => ({ severity, message, hint, path }));
}

describe("scripts that use what was observed", () => {
  it.each([
    'const text: string = await tracker.echo({ message: "hi" });\nconsole.log(text.toUpperCase());',
    "const issue = JSON.parse(await tracker.get_issue({ number: 1 }));\nconst title: string = issue.title;\nconsole.log(title, issue.labels?.[0]?.name);",
    "const { rows } = await tracker.take();\nconsole.log(rows.map(({ id }) => id));",
    'const result = await tracker.never_seen();\nif (typeof result === "string") console.log(JSON.parse(result).anything);\nelse console.log(result.content.map(({ type }) => type));',
    "const { closedBy } = JSON.parse(await tracker.get_issue({}));\nconsole.log(closedBy?.login.toUpperCase());",
  ])("pass without a cast", async (code) => {
    expect(await diagnose(code)).toEqual([]);
  });

  it.each([
    ["const issue = JSON.parse(await tracker.get_issue({}));\nconsole.log(issue.titel);", "title", "script.ts:3:19"],
    ["console.log(JSON.parse(await tracker.get_issue({})).author.logn);", "login", "script.ts:2:60"],
    ["const { rows } = await tracker.take();\nconsole.log(rows[0].idd);", "id", "script.ts:3:21"],
    ["console.log(JSON.parse(await tracker.either()).map(({ ttile }) => ttile));", "title", "script.ts:2:55"],
  ])("are refused where they misspell a field, with the nearest name", async (code, nearest, path) => {
    const [finding, ...others] = await diagnose(code);
    expect(finding).toMatchObject({ severity: "error", path });
    expect(finding?.hint).toContain(`\`${nearest}\``);
    expect(finding?.hint).toContain("The server does not promise this type");
    expect(others).toEqual([]);
  });

  it.each([
    "console.log(JSON.parse(await tracker.get_issue({})).milestone);",
    "console.log(JSON.parse(await tracker.get_issue({})).authored_by);",
    "const count: number = await tracker.echo({});",
    "console.log(JSON.parse(await tracker.get_issue({})).labels.length);",
  ])("are only warned of what was not seen: it may be right", async (code) => {
    const found = await diagnose(code);
    expect(found.map(({ severity }) => severity)).toEqual(["warning"]);
    expect(found[0]?.hint).toContain("The server does not promise this type");
  });

  it.each([
    "const text = await tracker.echo({});\nconsole.log(typeof text === 'string' ? text : text.content[0]?.text);",
    "const issue = JSON.parse(await tracker.get_issue({}));\nconsole.log(issue.titel ?? issue.title);",
    "const [row] = JSON.parse(await tracker.ask({ query: 'select title as titles' }));\nconsole.log(row?.titles);",
    "const issue: { title: string; state: string } = JSON.parse(await tracker.get_issue({}));\nconsole.log(issue.state);",
    "const { content } = (await tracker.echo({})) as unknown as { content: { text: string }[] };\nconsole.log(content);",
    "console.log(JSON.parse(await tracker.either()).map(({ id }) => id));",
  ])("are not refused where they cope with what was not seen: %s", async (code) => {
    const found = await diagnose(code);
    expect(found.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("are refused for what rests on no observation, as before", async () => {
    const found = await diagnose(
      'const issue = JSON.parse(await tracker.get_issue({ number: "1" }));\nconsole.log(issue.milestone);',
    );
    expect(found.map(({ severity, path }) => [severity, path])).toEqual([
      ["error", "script.ts:2:52"],
      ["warning", "script.ts:3:19"],
    ]);
  });
});
