import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTestFolder } from "../make-test-folder.ts";
import { compareDocument } from "./compare-schemas.ts";
import { REAL_DOCUMENTS, unpackDocument, WITHOUT_DOCUMENTS } from "./real-documents.ts";

/*
 * A schema of a tool may be shortened or wider than the one of its document, and never narrower: what the document allows is accepted. Where nothing
 * was left out, it is not wider either. `npm run test:documents` compares all schemas of the real documents; here a part of them is tried.
 */

const EXTENT = { seed: 20_261_128, tries: 4, lengths: [1_500, 24 * 1024] };
const EXAMPLES = "node_modules/@readme/oas-examples";

test.each([
  ["3.1/yaml/train-travel.yaml", 1],
  ["3.0/json/petstore-expanded.json", 1],
  ["3.0/json/star-trek.json", 0.05],
  ["2.0/json/petstore.json", 1],
])("what %s allows is accepted, and nothing else where nothing was left out", async (path, share) => {
  const { values, refused, backValues, backRefused } = await compareDocument(resolve(EXAMPLES, path), {
    ...EXTENT,
    share,
  });
  expect([refused, backRefused]).toEqual([[], []]);
  expect(Math.min(values, backValues)).toBeGreaterThan(0);
});

/** Two that are read in a fraction of a second. */
const SMALL = REAL_DOCUMENTS.filter((name) => /^(?:slack|twilio)\./.test(name));

describe.skipIf(SMALL.length === 0)(`of real documents${WITHOUT_DOCUMENTS}`, () => {
  test.each(SMALL)("a part of what %s allows is accepted", async (name) => {
    const file = await unpackDocument(name, await makeTestFolder());
    const { values, refused, backRefused } = await compareDocument(file, { ...EXTENT, share: 0.03 });
    expect([refused, backRefused]).toEqual([[], []]);
    expect(values).toBeGreaterThan(20);
  });
});
