import { expect, test } from "vitest";
import { spreadServers } from "../../../runtime/host/discovery/tool-index.ts";

const places = (text: string) => text.split("").map((serverId, index) => ({ serverId, index }));
const shown = (text: string, limit: number): string =>
  spreadServers(places(text), limit)
    .map(({ serverId }) => serverId)
    .join("");

test("a server that matches everywhere leaves room for others, and the best matches stay first", () => {
  expect(shown("aaaaaaaaaaaabc", 10)).toBe("aaaaaabcaa");
  expect(shown("aabaaaaaaaacd", 10)).toBe("aabaaaacda");
});

test("nothing is moved where no other matches, where none dominates, or among few results", () => {
  expect(shown("aaaaaaaaaaaa", 10)).toBe("aaaaaaaaaa");
  expect(shown("abcabcabcabc", 10)).toBe("abcabcabca");
  expect(shown("aaaaab", 5)).toBe("aaaaa");
  expect(shown("ab", 0)).toBe("");
});

test("each place is given once, in its order", () => {
  const found = spreadServers(places("aaaaaaaabaaa"), 20);
  expect(new Set(found.map(({ index }) => index)).size).toBe(12);
});
