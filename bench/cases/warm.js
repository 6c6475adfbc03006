import { CONTENDER_NAMES, openContenders } from "../contenders/open-contender.js";
import { pauseAfter } from "../contenders/pause-after.js";
import { ECHO_SERVER } from "../suite/make-project.js";
import { interleave } from "../suite/measure.js";
import { readProcessorTime } from "../suite/processor-time.js";
import { makeComparison } from "../suite/tables.js";

const WORKS = [
  { id: "warm.empty", title: "Seen script, no call", work: { calls: 0 } },
  { id: "warm.seen", title: "Seen script, one call", work: { calls: 1 } },
  { id: "warm.new", title: "Never-seen script, one call", work: { calls: 1 }, isNew: true },
  { id: "warm.turn10", title: "Seen script, 10 calls one after the other", work: { calls: 10 } },
  { id: "warm.turn100", title: "Seen script, 100 calls one after the other", work: { calls: 100 } },
  { id: "warm.once10", title: "Seen script, 10 calls at once", work: { calls: 10, parallel: true } },
  { id: "warm.once100", title: "Seen script, 100 calls at once", work: { calls: 100, parallel: true } },
];

/** Runs of scripts by processes that have been running for a while, with the pauses of an agent: caches are cold, and processors asleep. */
export async function measureWarm({ project, earlierProject, rounds, warmUps }) {
  const { opened, missing, close } = await openContenders(CONTENDER_NAMES, {
    project,
    earlierProject,
    server: ECHO_SERVER,
  });
  const meters = new Map([...opened].map(([name, { pid }]) => [name, () => readProcessorTime(pid)]));
  const tables = [];
  try {
    for (const { id, title, work, isNew = false } of WORKS) {
      const toWork = ({ name, run }) => [
        name,
        async () => {
          const time = await run(isNew ? { ...work, nonce: Math.random() } : work);
          await pauseAfter(name);
          return time;
        },
      ];
      const contenders = new Map([...opened.values()].map(toWork));
      const outcomes = await interleave(contenders, { rounds, warmUps, meters });
      tables.push(makeComparison(id, title, new Map([...outcomes, ...missing])));
    }
  } finally {
    await close();
  }
  return tables;
}
