import { expect, test } from "vitest";
import { readVersion } from "../../../extras/publish/read-version.ts";

test.each(["0.0.0", "1.2.3", "10.20.30", "1.0.0-alpha", "1.0.0-0.3.7", "1.0.0-x.7.z.92", "2.0.0-rc-1"])(
  "%s is read as it is",
  (text) => expect(readVersion(text)).toBe(text),
);

test("build metadata takes no part in a version", () => {
  expect(readVersion("1.0.0-beta+exp.sha.5114f85")).toBe("1.0.0-beta");
  expect(readVersion("1.2.3+build")).toBe("1.2.3");
});

test.each([
  "",
  "1",
  "1.2",
  "v1.2.3",
  "=1.2.3",
  "1.2.3.4",
  "01.2.3",
  "1.2.3-",
  "1.2.3-01",
  "1.2.3-a..b",
  " 1.2.3",
  "1.2.3\n",
  "1.2.3+build ",
  "9".repeat(17) + ".0.0",
  `1.2.3-${"a".repeat(300)}`,
])("%j is no version", (text) => expect(readVersion(text)).toBeUndefined());
