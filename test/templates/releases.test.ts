import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { proposeFirstVersion, proposeNextVersion } from "../../schemas/diff/propose-version.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { parseLockfile } from "../../schemas/lock/parse-lockfile.ts";
import { printChangelog } from "../../templates/package/print-changelog.ts";
import { lockedServer } from "./lockfile-of.ts";

/**
 * Pairs of lockfiles in test/golden/releases: upgrades of published servers, and recorded servers with one edit each. The
 * changelogs beside them are golden files.
 */
const PAIRS = [
  // pair, first version, proposed version, class of the gravest change
  ["memory-2025-4-to-2025-9", "0.6.3", "0.7.0", "breaking"],
  ["memory-2025-9-to-2026-8", "0.6.3", "0.7.0", "breaking"],
  ["filesystem-2025-3-to-2025-8", "0.2.0", "0.3.0", "compatible"],
  ["filesystem-2025-8-to-2026-8", "0.2.0", "0.3.0", "breaking"],
  ["context7-description-poisoned", "4.1.1", "4.1.2", "text"],
  ["figma-enum-narrowed-below-one", "0.13.2", "0.14.0", "breaking"],
  ["puppeteer-property-required", "0.1.0", "0.2.0", "breaking"],
  ["redis-hostile-tool-added", "0.0.1", "0.1.0", "compatible"],
  ["redis-tool-removed", "0.0.1", "0.1.0", "breaking"],
  ["slack-new-server-version", "1.0.0", "1.0.1", "text"],
  ["slack-tool-and-property-added", "1.0.0", "1.1.0", "compatible"],
] as const;

describe.each(PAIRS)("%s", (pair, first, next, severity) => {
  const [before, after] = [readSide(pair, "before"), readSide(pair, "after")];

  test(`begins with ${first} and goes on with ${next}`, () => {
    expect(proposeFirstVersion(before)).toMatchObject({ version: first });
    const proposal = proposeNextVersion({ version: first, lock: before }, after);
    expect(proposal).toMatchObject({ version: next, change: { severity } });
  });

  test("has a changelog that says why", async () => {
    const release = proposeFirstVersion(before);
    const proposal = proposeNextVersion({ version: first, lock: before }, after);
    if (proposal === undefined) expect.fail("nothing is proposed");
    const changelog = printChangelog(proposal, after, printChangelog(release, before));
    await expect(changelog).toMatchFileSnapshot(`../golden/releases/${pair}/CHANGELOG.md`);
  });
});

test("a breaking change above 1.0.0 is a major step", () => {
  const [before, after] = [readSide("redis-tool-removed", "before"), readSide("redis-tool-removed", "after")];
  expect(proposeNextVersion({ version: "1.4.2", lock: before }, after)).toMatchObject({
    version: "2.0.0",
    reason: "existing scripts may fail (tools: 1 removed)",
  });
});

test.each([
  ["0.2.3", "0.3.0"],
  ["1.2.3", "2.0.0"],
  ["2.0.0-rc.1", "2.0.0"],
  ["1.2.3-rc.1", "2.0.0"],
  ["0.3.0-rc.1", "0.3.0"],
])("a breaking change after %s asks for %s", (version, next) => {
  const [before, after] = [readSide("redis-tool-removed", "before"), readSide("redis-tool-removed", "after")];
  expect(proposeNextVersion({ version, lock: before }, after)).toMatchObject({ version: next });
});

test.each([
  ["1.2.3", "1.2.4"],
  ["0.2.3", "0.2.4"],
  ["1.2.3-rc.1", "1.2.3"],
])("other words alone after %s ask for %s", (version, next) => {
  const pair = "slack-new-server-version";
  expect(proposeNextVersion({ version, lock: readSide(pair, "before") }, readSide(pair, "after"))).toMatchObject({
    version: next,
  });
});

test("the same lock entry asks for no release", () => {
  const [before, after] = [readSide("sqlite-npx-unchanged", "before"), readSide("sqlite-npx-unchanged", "after")];
  expect(proposeNextVersion({ version: "0.8.0", lock: before }, after)).toBeUndefined();
});

test.each([
  ["2.3.4", "2.3.4"],
  ["2.3.4-beta.1", "2.3.4"],
  ["2.3.4+build.7", "2.3.4"],
  ["v2.3.4", "0.1.0"],
  ["2026-11-21", "0.1.0"],
  ["", "0.1.0"],
])("the first package of a server of version %j has version %s", (own, version) => {
  expect(proposeFirstVersion(lockedServer("some", [], { name: "some", version: own }))).toMatchObject({ version });
});

test("the first package of a server without a version has version 0.1.0", () => {
  expect(proposeFirstVersion(lockedServer("some", [], { name: "some" }))).toMatchObject({ version: "0.1.0" });
});

function readSide(pair: string, side: "before" | "after"): LockedServer {
  const url = new URL(`../golden/releases/${pair}/${side}.lock.json`, import.meta.url);
  const [server] = parseLockfile(readFileSync(url, "utf8"), `${pair}/${side}`).servers.values();
  return server ?? expect.fail("no server");
}
