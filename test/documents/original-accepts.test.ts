import { describe, expect, test } from "vitest";
import { makeTestFolder } from "../make-test-folder.ts";
import { compareDocument } from "../openapi/compare-schemas.ts";
import { REAL_DOCUMENTS, unpackDocument, WITHOUT_DOCUMENTS } from "../openapi/real-documents.ts";

describe.skipIf(REAL_DOCUMENTS.length === 0)(`of real documents${WITHOUT_DOCUMENTS}`, () => {
  test.each(REAL_DOCUMENTS)(
    "all that %s allows is accepted, and nothing else where nothing was left out",
    async (name) => {
      const file = await unpackDocument(name, await makeTestFolder());
      const extent = { seed: 20_261_128, share: 1, tries: 6, lengths: [1_500, 24 * 1024] };
      const { values, refused, backValues, backRefused } = await compareDocument(file, extent);
      expect([refused, backRefused]).toEqual([[], []]);
      expect(Math.min(values, backValues)).toBeGreaterThan(100);
    },
    900_000,
  );
});
