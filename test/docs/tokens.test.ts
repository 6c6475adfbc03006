import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ServeEntry } from "../../schemas/config/config-file.ts";
import { countTokens } from "../serve/surfaces/count-tokens.ts";
import { presentationOf } from "../serve/surfaces/view-of.ts";
import { recordServers } from "../templates/record-servers.ts";

/** What each server alone is measured with, in the order of the columns. */
const SURFACES: ServeEntry[] = [{ surface: "run" }, { typesBudget: 10_000_000 }];

// After a change of the texts `node bench/tokens.js FOLDER --write` makes the page again.
test("docs/tokens.md says what servers cost that can be asked here", async () => {
  const { servers } = await recordServers();
  const page = readFileSync("docs/tokens.md", "utf8");
  for (const id of ["filesystem", "memory"]) {
    const lockfile = { servers: new Map([...servers].filter(([name]) => name === id)) };
    const costs = SURFACES.map(async (entry) => {
      const tools = await presentationOf(lockfile, entry).surface.listTools();
      return countTokens({ tools }).toLocaleString("en");
    });
    const row =
      new RegExp(`^\\| ${id} .*$`, "m")
        .exec(page)?.[0]
        .split("|")
        .map((cell) => cell.trim()) ?? [];
    expect([row[4], row[6]], id).toEqual(await Promise.all(costs));
  }
});
