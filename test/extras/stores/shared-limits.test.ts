import { expect, test } from "vitest";
import { type Admission, makeAdmission } from "../../../serve/admission/admission.ts";
import { makeMemoryStore } from "./name-store.ts";
import { makeSharedLimiter } from "../../../extras/stores/join-store.ts";

const QUEUE = { maxRunning: 1, maxWaiting: 64 };
const LIMIT = { runsPerMinute: 12 };
const CALL = { signal: new AbortController().signal, isResumed: false };

function startReplicas(): Admission[] {
  const fail = (error: unknown): never => {
    throw error;
  };
  const opened = { store: makeMemoryStore(), isReachable: () => true, onFailure: fail };
  const start = () => makeAdmission({ queue: QUEUE, rateLimit: LIMIT }, makeSharedLimiter(opened, LIMIT));
  return [start(), start()];
}

test("on two replicas a client has one allowance, and takes turns with others on each", async () => {
  const replicas = startReplicas();
  const first = await Promise.all(replicas.map((replica) => replica.enter("ada", CALL)));
  const refused: string[] = [];
  const turns: string[][] = [[], []];
  const enter = async (client: string, at: number): Promise<void> => {
    const entry = await (replicas[at] as Admission).enter(client, CALL);
    if (entry.kind === "refused") return void refused.push(`${client}: ${entry.diagnostic.code}`);
    turns[at]?.push(client);
    entry.leave();
  };
  const ofAda = Array.from({ length: 14 }, (_, index) => enter("ada", index % 2));
  const ofBob = [0, 0, 1, 1].map((at) => enter("bob", at));
  // Twelve runs of ada are admitted, and each replica has five of them and two of bob that wait.
  await expect.poll(() => replicas.map((replica) => replica.state().waiting), { timeout: 10_000 }).toEqual([7, 7]);
  expect(refused).toEqual(Array(4).fill("ada: RATE_LIMITED"));
  for (const entry of first) if (entry.kind === "admitted") entry.leave();
  await Promise.all([...ofAda, ...ofBob]);
  const [bob, ada] = ["bob", "ada"];
  expect(turns).toEqual([
    [bob, ada, bob, ada, ada, ada, ada],
    [bob, ada, bob, ada, ada, ada, ada],
  ]);
});
