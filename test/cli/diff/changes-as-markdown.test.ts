import { expect, test } from "vitest";
import { printChangesAsMarkdown } from "../../../cli/print/changes-as-markdown.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import { diffLockfiles } from "../../../schemas/diff/diff-lockfiles.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";
import { changesOf, SCENARIOS } from "./changes.ts";

test.each(Object.keys(SCENARIOS))("%s as Markdown", async (scenario) => {
  const file = `../../golden/diff/${scenario.replaceAll(" ", "-")}.md`;
  await expect(`${printChangesAsMarkdown(changesOf(scenario))}\n`).toMatchFileSnapshot(file);
});

test("the gravest server is first, after servers that could not be compared", () => {
  const before = lockfileOf({ a: [tool("x")], b: [tool("x"), tool("y")] });
  const after = lockfileOf({ a: [tool("x"), tool("new")], b: [tool("x")] });
  const failure = {
    serverId: "dead",
    error: new CodemodeError("SERVER_UNAVAILABLE", 1, "it `left`\n@all", "start it"),
  };
  const headings = printChangesAsMarkdown(diffLockfiles(before, after), [failure]).match(/^(###|- `).*/gm);
  expect(headings).toEqual([
    "### Not compared",
    "- `dead`: `` it `left` @all ``",
    "### `b`: changed, breaking",
    "### `a`: changed, compatible",
  ]);
});

test("a page is short enough for a comment, and says what it leaves out", () => {
  const words = (text: string) => Array.from({ length: 300 }, (_, index) => tool(`t${index}`, text.repeat(400)));
  const page = printChangesAsMarkdown(
    diffLockfiles(lockfileOf({ s: words("old `<") }), lockfileOf({ s: words("new `<") })),
  );
  expect(page.length).toBeLessThan(60_000);
  expect(page).toMatch(/\*\*This is not all:\*\* 2\d\d more entries do not fit here\./);
});

test("the changed words of a long text are shown, in seconds also where nothing is left as it was", () => {
  const filler = "and so on ".repeat(20_000);
  const numbers = (from: number) => Array.from({ length: 20_000 }, (_, index) => index * 2 + from).join(" ");
  const page = (before: string, after: string) =>
    printChangesAsMarkdown(
      diffLockfiles(lockfileOf({ s: [tool("t", before)] }), lockfileOf({ s: [tool("t", after)] })),
    );
  expect(page(`${filler}near.${filler}`, `${filler}far.${filler}`)).toContain("<ins>far</ins>");
  expect(page(numbers(0), numbers(1))).toMatch(/<del>0 2 4 [^]*more characters/);
});

function tool(name: string, description = "") {
  return { name, description, inputSchema: { type: "object" } };
}
