import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareDocument } from "./compare-schemas.ts";

test.each(process.env["DOCS"]!.split(","))(
  "%s",
  async (path) => {
    const t = performance.now();
    const found = await compareDocument(path, {
      seed: 1,
      share: Number(process.env["SHARE"] ?? 0.1),
      tries: 6,
      lengths: [1500, 24 * 1024],
    });
    console.log(
      path,
      found.schemas,
      found.values,
      found.refused.length,
      found.backValues,
      found.backRefused.length,
      Math.round(performance.now() - t),
    );
    console.log(found.refused.slice(0, 8).join("\n"), "\nBACK\n", found.backRefused.slice(0, 6).join("\n"));
  },
  600_000,
);
