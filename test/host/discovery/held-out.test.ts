import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toolIndexOf } from "../../../runtime/host/discovery/tool-index.ts";
import { lockRecordings } from "../../templates/lockfile-of.ts";

interface Question {
  question: string;
  agent: string;
  tools: string[];
}

/** Recorded tool lists of some 70 real servers; they are no part of the repository. */
const CORPUS = new URL("../../../../shared/corpus/", import.meta.url);
const isHere = existsSync(CORPUS);
const asked = JSON.parse(
  readFileSync(new URL("../../../bench/search/questions.json", import.meta.url), "utf8"),
) as Question[];
/** Nothing was tuned on these. */
const heldOut = asked.filter((_, index) => index % 2 === 1);

test.skipIf(!isHere).each([
  ["in prose", "question", 0.6, 0.81],
  ["by verb and noun", "agent", 0.9, 0.97],
] as const)(
  `the right tool is found %s${isHere ? "" : " (skipped: there is no ../shared/corpus)"}`,
  (_title, form, first, five) => {
    const index = toolIndexOf(lockRecordings(CORPUS));
    const ranks = heldOut.map(({ [form]: text, tools }) =>
      index
        .search(text, { limit: 10 })
        .findIndex(({ serverId, toolName }) => tools.includes(`${serverId}/${toolName}`)),
    );
    const share = (most: number): number => ranks.filter((rank) => rank >= 0 && rank < most).length / ranks.length;
    expect(share(1)).toBeGreaterThanOrEqual(first);
    expect(share(5)).toBeGreaterThanOrEqual(five);
  },
);
