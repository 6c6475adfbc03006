import { expect, test } from "vitest";
import { bumpVersion, compareVersions, formatVersion, parseVersion, type Version } from "../../schemas/semver.ts";

const versionOf = (text: string): Version => parseVersion(text) ?? expect.fail(`${text} is no version`);

test("versions are read as Semantic Versioning 2.0.0 writes them", () => {
  for (const text of [
    "0.0.0",
    "1.2.3",
    "10.20.30",
    "1.0.0-alpha",
    "1.0.0-0.3.7",
    "1.0.0-x.7.z.92",
    "2.0.0-rc-1",
    "1.0.0-0",
    "1.0.0-0a",
    "1.0.0-01a",
    "1.0.0-a00",
    "1.0.0-a0.10",
  ]) {
    expect(formatVersion(versionOf(text))).toBe(text);
  }
  expect(formatVersion(versionOf("1.0.0-beta+exp.sha.5114f85"))).toBe("1.0.0-beta");
});

test.each([
  "",
  "1",
  "1.2",
  "v1.2.3",
  "1.2.3.4",
  "01.2.3",
  "1.2.3-",
  "1.2.3-01",
  "1.2.3-a.00",
  "1.2.3-000",
  "1.2.3+",
  "1.2.3+a+b",
  "1.2.3-a..b",
  " 1.2.3",
  "1.2.3\n",
  "9".repeat(16) + ".0.0",
])("%j is no version", (text) => expect(parseVersion(text)).toBeUndefined());

test("a list of versions is in the order of the specification", () => {
  const ordered =
    "1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.2.0 1.10.0 2.0.0";
  const versions = ordered.split(" ").map(versionOf);
  expect(versions.toReversed().toSorted(compareVersions).map(formatVersion).join(" ")).toBe(ordered);
  expect(compareVersions(versionOf("1.2.3"), versionOf("1.2.3+build"))).toBe(0);
});

test.each([
  ["1.0.0-1", "1.0.0-2", -1],
  ["1.0.0-2", "1.0.0-1", 1],
  ["1.0.0-10", "1.0.0-9", 1],
  ["1.0.0-a", "1.0.0-b", -1],
  ["1.0.0-b", "1.0.0-a", 1],
  ["1.0.0-a10", "1.0.0-a9", -1],
  ["1.0.0-10", "1.0.0-20", -1],
  ["1.0.0-20", "1.0.0-10", 1],
  ["1.0.0-a1", "1.0.0-222", 1],
  ["1.0.0-1a", "1.0.0-222", 1],
  ["1.0.0-22", "1.0.0-a", -1],
  ["1.0.0-1", "1.0.0--", -1],
  ["1.0.0-10a", "1.0.0-9a", -1],
  ["1.0.0-a.1", "1.0.0-a.1", 0],
  ["1.0.0-1", "1.0.0-a", -1],
  ["1.0.0-a", "1.0.0-1", 1],
  ["1.0.0-a", "1.0.0-a.b", -1],
  ["1.0.0-a.b", "1.0.0-a", 1],
  ["1.0.0", "1.0.0-a", 1],
  ["1.0.0-a", "1.0.0", -1],
  ["1.0.0-a.b", "1.0.0-a.a.c", 1],
  ["2.0.0", "1.9.9", 1],
  ["1.2.0", "1.1.9", 1],
  ["1.0.1", "1.0.2", -1],
])("%s compared with %s is %i", (left, right, sign) => {
  expect(Math.sign(compareVersions(versionOf(left), versionOf(right)))).toBe(sign);
});

test("a text of 257 characters is no version", () => {
  const longest = `1.2.3-${"a".repeat(250)}`;
  expect(formatVersion(versionOf(longest))).toBe(longest);
  expect(parseVersion(`${longest}a`)).toBeUndefined();
});

test.each([
  ["1.2.3", "major", "2.0.0"],
  ["1.2.3", "minor", "1.3.0"],
  ["1.2.3", "patch", "1.2.4"],
  ["0.2.3", "major", "0.3.0"],
  ["0.2.3", "minor", "0.3.0"],
  ["0.2.3", "patch", "0.2.4"],
  ["1.2.3-rc.1", "patch", "1.2.4"],
] as const)("%s and a %s step give %s", (before, step, after) => {
  expect(formatVersion(bumpVersion(versionOf(before), step))).toBe(after);
});
