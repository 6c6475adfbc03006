import {
  type DurableRun,
  type DurableStore,
  type FreeRun,
  type KeptRun,
  type LeftMessage,
  MOST_MESSAGES,
  type OwnedRun,
  type Rest,
  type RunHead,
  type RunMessage,
  RunTaken,
} from "../kept-runs.ts";
import { waitOf } from "../steps.ts";
import { makeOwnedRun } from "../run-store.ts";
import type { Step } from "../../../schemas/run/durable-run.ts";

/** What several stores of one process share, as they would share a folder. */
export interface Memory<Run extends KeptRun = DurableRun> {
  runs: Map<string, Kept<Run>>;
  lastMessage: number;
}

interface Kept<Run extends KeptRun> {
  run: Run;
  steps: Step[];
  token: number;
  /** The store that has it. */
  owner: object | undefined;
  rest: Rest | undefined;
  head: RunHead | undefined;
  isCancelled: boolean;
  messages: LeftMessage[];
}

/** So many runs that have ended are kept: nothing else ends the memory that they take. */
const MOST_ENDED = 1000;

export function makeMemory<Run extends KeptRun = DurableRun>(): Memory<Run> {
  return { runs: new Map(), lastMessage: 0 };
}

/** Opens the durable runs of a process, which end with it. */
export function openMemoryStore<Run extends KeptRun>(memory: Memory<Run>): DurableStore<Run> {
  const { runs } = memory;
  const here = {};

  const own = (kept: Kept<Run>): OwnedRun<Run> => {
    const { run, token } = kept;
    const isMine = (): boolean => kept.token === token && kept.owner === here;
    const assertOwned = (): void => {
      if (!isMine()) throw new RunTaken();
    };
    return makeOwnedRun({
      ...{ run, steps: kept.steps, assertOwned },
      isCancelled: () => kept.isCancelled,
      async keep(added) {
        assertOwned();
        kept.steps.push(...structuredClone(added));
      },
      async letGo(rest, head) {
        if (!isMine()) return;
        Object.assign(kept, { owner: undefined, rest, head });
        forgetOldest(runs);
      },
    });
  };
  return {
    async create(run, steps = []) {
      if (runs.has(run.id)) return "held";
      const kept: Kept<Run> = {
        ...{
          run: structuredClone(run),
          steps: structuredClone([...steps]),
          token: 1,
          owner: here,
          isCancelled: false,
          messages: [],
        },
        ...{ rest: undefined, head: undefined },
      };
      runs.set(run.id, kept);
      return own(kept);
    },
    async claim(id) {
      const kept = runs.get(id);
      if (kept === undefined) return undefined;
      if (kept.owner !== undefined) return "held";
      Object.assign(kept, { owner: here, token: kept.token + 1, rest: undefined, head: undefined });
      return own(kept);
    },
    async read(id) {
      const kept = runs.get(id);
      return kept && { run: kept.run, steps: [...kept.steps], isOwned: kept.owner !== undefined };
    },
    ...makeLookups(memory),
    async close() {
      for (const kept of runs.values()) if (kept.owner === here) kept.owner = undefined;
    },
  };
}

/** What is known of runs without their steps, and done to them from outside. */
function makeLookups<Run extends KeptRun>(memory: Memory<Run>) {
  const { runs } = memory;
  const find = (ids: readonly string[]): Kept<Run>[] => ids.flatMap((id) => runs.get(id) ?? []);
  const isFree = ({ owner, rest }: Kept<Run>): boolean => owner === undefined && rest === undefined;
  return {
    isSealed: true,
    isOwned: async (id: string) => runs.get(id)?.owner !== undefined,
    async stampOf(id: string) {
      const kept = runs.get(id);
      return kept && [kept.token, kept.steps.length, kept.rest, kept.owner !== undefined].join(" ");
    },
    list: async () => [...runs.values()].map(({ run: { id }, head }) => ({ id, head })),
    head: async (id: string) => runs.get(id)?.head,
    async listFree() {
      const free = [...runs.values()].filter(isFree).map(toFree);
      return [...free.filter(({ wait }) => wait === undefined), ...free.filter(({ wait }) => wait !== undefined)];
    },
    async cancel(id: string) {
      for (const kept of find([id])) kept.isCancelled = true;
    },
    cancelled: async (ids: readonly string[]) =>
      find(ids).flatMap(({ run: { id }, isCancelled }) => (isCancelled ? [id] : [])),
    async leave(id: string, message: RunMessage) {
      const messages = runs.get(id)?.messages;
      if (messages === undefined || messages.length >= MOST_MESSAGES) return false;
      memory.lastMessage += 1;
      messages.push({ run: id, name: String(memory.lastMessage), message });
      return true;
    },
    messages: async (ids: readonly string[]) => find(ids).flatMap(({ messages }) => messages),
    async discard(read: readonly LeftMessage[]) {
      const names = new Set(read.map(({ name }) => name));
      for (const kept of find(read.map(({ run }) => run)))
        kept.messages = kept.messages.filter(({ name }) => !names.has(name));
    },
    async remove(id: string) {
      if (runs.get(id)?.owner === undefined) runs.delete(id);
    },
    removeOver: async (id: string) => runs.get(id)?.rest === "over" && runs.delete(id),
  } satisfies Partial<DurableStore>;
}

function toFree({ run: { id }, token, head, isCancelled, messages }: Kept<KeptRun>): FreeRun {
  return { id, token, wait: head && waitOf(head), hasCome: isCancelled || messages.length > 0 };
}

function forgetOldest(runs: Memory<KeptRun>["runs"]): void {
  if (runs.size <= MOST_ENDED) return;
  const ended = [...runs.values()].filter(({ rest }) => rest === "over");
  for (const { run } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) runs.delete(run.id);
}
