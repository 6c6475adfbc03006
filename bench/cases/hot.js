import { availableParallelism } from "node:os";
import { CONTENDER_NAMES, openContenders } from "../contenders/open-contender.js";
import { pauseAfter } from "../contenders/pause-after.js";
import { ECHO_SERVER } from "../suite/make-project.js";
import { interleave } from "../suite/measure.js";
import { makeComparison } from "../suite/tables.js";
import { timeRuns } from "../suite/time-runs.js";

/**
 * Runs of one turn, and those before them that are not measured. Levels that start something for each run have fewer; of processes, so many
 * wait at most that the first runs use up.
 */
const TURN = { process: { lead: 2 * availableParallelism(), runs: 5 }, realm: { lead: 2, runs: 6 } };
const OTHER_TURN = { lead: 5, runs: 20 };
const LONG_TURN = { lead: 1, runs: 2 };

const WORKS = [
  { id: "hot.empty", title: "Seen script, no call", work: { calls: 0 } },
  { id: "hot.seen", title: "Seen script, one call", work: { calls: 1 } },
  { id: "hot.new", title: "Never-seen script, one call", work: { calls: 1 }, isNew: true },
  { id: "hot.turn100", title: "Seen script, 100 calls one after the other", work: { calls: 100 }, turn: LONG_TURN },
  { id: "hot.once100", title: "Seen script, 100 calls at once", work: { calls: 100, parallel: true }, turn: LONG_TURN },
];

/** Runs one after the other without a pause. A sample is the mean of those of one turn. */
export async function measureHot({ project, earlierProject, rounds }) {
  const { opened, missing, close } = await openContenders(CONTENDER_NAMES, {
    project,
    earlierProject,
    server: ECHO_SERVER,
  });
  const seldom = CONTENDER_NAMES.filter((name) => name.includes(", process"));
  const tables = [];
  try {
    for (const { id, title, work, isNew, turn } of WORKS) {
      const toWork = (contender) => [
        contender.name,
        async () => {
          const measured = await measureTurn(contender, { ...work, isNew }, findTurn(contender.name, turn));
          await pauseAfter(contender.name);
          return measured;
        },
      ];
      const contenders = new Map([...opened.values()].map(toWork));
      const outcomes = await interleave(contenders, { rounds: Math.ceil(rounds / 2), warmUps: 1, seldom });
      tables.push(makeComparison(id, title, new Map([...outcomes, ...missing])));
    }
  } finally {
    await close();
  }
  return tables;
}

async function measureTurn(contender, { isNew, ...work }, { lead, runs }) {
  await contender.flood(work, { atOnce: 1, runs: lead, isNew });
  return timeRuns(contender, work, { runs, isNew });
}

function findTurn(name, turn = OTHER_TURN) {
  if (name.includes(", process")) return TURN.process;
  return turn === OTHER_TURN && name.includes(", realm") ? TURN.realm : turn;
}
