import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, onTestFinished, test } from "vitest";
import { printChangesAsMarkdown } from "../../../cli/print/changes-as-markdown.ts";
import { printChangesAsSarif } from "../../../cli/print/changes-as-sarif.ts";
import { placeInRepository } from "../../../engine/project/place-in-repository.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import { formatLockfile } from "../../../schemas/lock/lockfile-text.ts";
import { renderMarkdown } from "../../publishing/render-markdown.ts";
import { changesOf, LOCKED, SCENARIOS } from "./changes.ts";

const SCHEMA = "test/publishing/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
const PLACE = "tools/my agents/codemode.lock.json";
const failures = [{ serverId: "dead", error: new CodemodeError("SERVER_UNAVAILABLE", 1, "it ended", "start it") }];

interface Finding {
  ruleId: string;
  level: string;
  message: { text: string };
  locations: [{ physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }];
}

function findingsOf(scenario: string): Finding[] {
  const log = JSON.parse(printChangesAsSarif(changesOf(scenario), [], LOCKED, PLACE)) as {
    runs: [{ results: Finding[] }];
  };
  return log.runs[0].results;
}

test("SARIF fits its schema, for servers that do not answer and hostile texts too", () => {
  // It is of draft 4: what Ajv knows of that are the keywords, not the names of schemas.
  const { $schema: _schema, id: _id, ...schema } = JSON.parse(readFileSync(SCHEMA, "utf8")) as Record<string, unknown>;
  const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
  for (const scenario of Object.keys(SCENARIOS)) {
    for (const lockfile of [LOCKED, undefined]) {
      const log: unknown = JSON.parse(printChangesAsSarif(changesOf(scenario), failures, lockfile, PLACE));
      expect([scenario, validate(log), validate.errors]).toEqual([scenario, true, null]);
    }
  }
  expect(validate({ version: "2.1.0", runs: [{ results: [] }] })).toBe(false);
});

test("a finding has a level, is at the line of its tool in the lockfile, and holds no link", () => {
  const [breaking] = findingsOf("a breaking change");
  expect(breaking).toMatchObject({ ruleId: "breaking", level: "error" });
  expect(breaking?.locations[0].physicalLocation.artifactLocation.uri).toBe("tools/my%20agents/codemode.lock.json");
  const line = breaking?.locations[0].physicalLocation.region.startLine ?? 0;
  expect(formatLockfile(LOCKED).split("\n")[line - 1]).toBe('          "name": "book"');
  expect(findingsOf("a rug pull")).toMatchObject([{ ruleId: "text", level: "warning" }]);
  expect(findingsOf("a new destructive tool")).toMatchObject([
    {
      level: "note",
      message: {
        text: 'disk: tool "erase" added: @destructive @openWorld (/tools/erase); the project\'s policy: deny',
      },
    },
  ]);
  expect(findingsOf("hostile texts").some(({ message }) => /(?<!\\)\[/.test(message.text))).toBe(false);
});

test("the lockfile of a project in a folder of a repository is named from the top of the repository", () => {
  const top = mkdtempSync(join(tmpdir(), "codemode-test-"));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const lockfile = join(top, "tools", "agents", "codemode.lock.json");
  mkdirSync(join(top, ".git"));
  expect(placeInRepository(lockfile)).toBe("tools/agents/codemode.lock.json");
});

test("rendered, hostile texts of servers are nothing but text in code", async () => {
  const page = await renderMarkdown(printChangesAsMarkdown(changesOf("hostile texts"), failures));
  expect(page).not.toMatch(/<(?!\/?(?:h3|ul|li|p|strong|code|table|tr|th|td|pre|del|ins)>)/);
  const outside = page.replace(/<(code|pre)>[^]*?<\/\1>/g, "").replace(/<[^>]*>/g, " ");
  expect(outside).not.toMatch(/[@#[\]|`~$]|evil|octocat|heading|TOKEN/);
  expect(page).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
});
