import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Chaos, runChaos } from "../../scale/durable-chaos.ts";
import { countCases } from "../../sets/count-cases.ts";
import { startPglite } from "../stores/start-pglite.ts";

const OFTEN = { suspendAfterMs: 300, everyMs: 1500, mostKills: countCases(6, 3), stopMs: 0 };
const inPostgres = async () => ({ store: await startPglite(), storeKey: "k".repeat(32) });

/** What happens to the runs of some processes. The long tests try the first. */
const SCENES: [what: string, begin: () => Promise<Chaos[]>][] = [
  [
    "runs in files survive a process that is killed all the time: each call that must be made once is",
    async () => {
      const state = await mkdtemp(join(tmpdir(), "codemode-state-"));
      onTestFinished(() => rm(state, { recursive: true, force: true, maxRetries: 5 }));
      const runs = { runs: countCases(6, 3), replicas: 1, atOnce: 3, serve: {}, env: { XDG_STATE_HOME: state } };
      return [{ ...OFTEN, ...runs, events: ["kill"] }];
    },
  ],
  [
    "runs in PostgreSQL survive replicas that are killed and restarted: another one goes on with them",
    async () => [{ ...OFTEN, runs: 6, replicas: 2, atOnce: 2, serve: await inPostgres(), events: ["kill", "restart"] }],
  ],
  [
    "two projects of one database keep to what their persons say, though processes are killed and runs are cancelled",
    async () => {
      const more = { runs: 4, replicas: 1, atOnce: 4, serve: await inPostgres(), everyMs: 700, mostKills: 3 };
      return ["a", "b"].map((words) => ({ ...OFTEN, ...more, words, events: ["cancel", "kill"] }));
    },
  ],
];

test.each(SCENES.slice(0, countCases(SCENES.length, 1)))(
  "%s",
  async (_, begin) => {
    const scenes = await begin();
    const reports = await Promise.all(scenes.map((scene) => runChaos(scene)));
    for (const [at, report] of reports.entries()) {
      expect(report).toMatchObject({ right: scenes[at]?.runs, wrong: [], twice: [], lost: [], against: [] });
      if (scenes.length === 1) expect(report.kills).toBeGreaterThan(0);
    }
  },
  180_000,
);
