import { CONTENDER_NAMES, openContenders } from "../contenders/open-contender.js";
import { ECHO_SERVER } from "../suite/make-project.js";
import { interleave, load, pause } from "../suite/measure.js";
import { printComparison } from "../suite/print-table.js";

/** The pause between two runs, as with an agent: a single-use process is replaced meanwhile. */
const GAP_MS = 150;

const WORKS = [
  { title: "Seen script, one call", work: { calls: 1 } },
  { title: "Never-seen script, one call", work: { calls: 1 }, isNew: true },
  { title: "Seen script, 10 calls one after the other", work: { calls: 10 } },
  { title: "Seen script, 100 calls one after the other", work: { calls: 100 } },
  { title: "Seen script, 10 calls at once", work: { calls: 10, parallel: true } },
  { title: "Seen script, 100 calls at once", work: { calls: 100, parallel: true } },
];

/** Runs of scripts by processes that have been running for a while. */
export async function measureWarm({ project, earlierProject, rounds, warmUps }) {
  const { opened, missing, close } = await openContenders(CONTENDER_NAMES, {
    project,
    earlierProject,
    server: ECHO_SERVER,
  });
  const parts = [];
  try {
    for (const { title, work, isNew = false } of WORKS) {
      const next = () => (isNew ? { ...work, nonce: Math.random() } : work);
      const contenders = new Map(
        [...opened.values()].map(({ name, run }) => [
          name,
          async () => {
            await pause(GAP_MS);
            return run(next());
          },
        ]),
      );
      const outcomes = await interleave(contenders, { rounds, warmUps });
      parts.push(`### ${title} (load ${load()})`, printComparison(new Map([...outcomes, ...missing])));
    }
  } finally {
    await close();
  }
  return parts;
}
