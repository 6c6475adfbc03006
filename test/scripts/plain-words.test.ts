import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Words that need decoding; technical English has a standard term for each. */
const PRIVATE_WORDS = [
  "told",
  "nobody",
  "somebody",
  "whoever",
  "so does",
  "that of",
  "those that",
  "whatever",
  "mend",
  "mends",
  "mended",
  "mending",
  "wish",
  "wishes",
  "anew",
  "by and by",
  "be it",
  "the way of",
  "look on",
  "looks on",
  "no news",
];

/** The words in prose, and as parts of names in camel case, such as `onTold`. */
const FORMS = [
  new RegExp(`\\b(?:${PRIVATE_WORDS.join("|")})\\b`, "gi"),
  /(?<=[a-z])(?:Told|Nobody|Somebody|Whoever|Whatever|Mend|Wish|Anew)(?![a-z])/g,
];

/** Everything that this repository writes: sources, tests, programs and pages. */
const ROOTS = [
  "README.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "ARCHITECTURE.md",
  "docs",
  "examples",
  "deploy",
  "schemas",
  "templates",
  "runtime",
  "engine",
  "extras",
  "openapi",
  "serve",
  "library",
  "cli",
  "scripts",
  "bench",
  "test",
];

/** Texts of others, and this list. */
const LEFT_OUT =
  /(?:^|\/)(?:node_modules|dist|golden)(?:\/|$)|^bench\/search\/questions\.json$|^test\/scripts\/plain-words\.test\.ts$/;
const TEXT = /\.(?:ts|js|mjs|cjs|json|md|sh|txt|ya?ml|html|css)$|Dockerfile$/;

/** Every text file at or below a path. */
function listTexts(path: string): string[] {
  if (LEFT_OUT.test(path)) return [];
  if (!statSync(path).isDirectory()) return TEXT.test(path) ? [path] : [];
  return readdirSync(path).flatMap((name) => listTexts(join(path, name)));
}

/** The private words of a text, each with its file and line. */
function findPrivateWords(path: string): string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      FORMS.flatMap((form) => line.match(form) ?? []).map((word) => `${path}:${index + 1}: ${word}`),
    );
}

test.each(ROOTS)("%s uses the standard terms of the field", (path) => {
  expect(listTexts(path).flatMap(findPrivateWords)).toEqual([]);
});
