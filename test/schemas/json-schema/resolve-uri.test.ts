import { expect, test } from "vitest";
import { resolveUri } from "../../../schemas/json-schema/references.ts";

// The examples of RFC 3986, 5.4.
test.each([
  ["g:h", "g:h"],
  ["g", "http://a/b/c/g"],
  ["./g", "http://a/b/c/g"],
  ["g/", "http://a/b/c/g/"],
  ["/g", "http://a/g"],
  ["//g", "http://g"],
  ["?y", "http://a/b/c/d;p?y"],
  ["g?y#s", "http://a/b/c/g?y#s"],
  ["#s", "http://a/b/c/d;p?q#s"],
  ["", "http://a/b/c/d;p?q"],
  [".", "http://a/b/c/"],
  ["..", "http://a/b/"],
  ["../g", "http://a/b/g"],
  ["../..", "http://a/"],
  ["../../../g", "http://a/g"],
  ["/./g", "http://a/g"],
  ["g;x=1/../y", "http://a/b/c/y"],
])("%j against http://a/b/c/d;p?q is %j", (reference, want) => {
  expect(resolveUri("http://a/b/c/d;p?q", reference)).toBe(want);
});

test("names without slashes are no paths", () => {
  expect(resolveUri("urn:example:root", "#part")).toBe("urn:example:root#part");
  expect(resolveUri("", "other.json")).toBe("other.json");
});
