import { expect, test } from "vitest";
import { OpenWork } from "../../../serve/http/open-work.ts";
import type { NameStore } from "../../../serve/store/shared-state.ts";
import { makeMemoryStore } from "./name-store.ts";
import { makeSealer } from "../../../engine/store-plan.ts";
import { makeSharedCache } from "../../../extras/stores/join-store.ts";

const MOST_BYTES = 4 * 1024 * 1024;
const sealer = makeSealer("k".repeat(32));
const importOf = (...ids: string[]) => ids.map((id) => `import "@codemode/results/${id}";`).join("\n");

/** A store that notes what it is asked for, and caches of replicas that share it. */
function startCaches(changes: Partial<NameStore> = {}) {
  const memory = makeMemoryStore();
  const [put, got, stored]: [number[], string[], string[]] = [[], [], []];
  const store: NameStore = {
    ...memory,
    put: async (name, value, ttlMs) => (put.push(ttlMs), stored.push(String(value)), memory.put(name, value, ttlMs)),
    get: async (name) => (got.push(name), memory.get(name)),
    ...changes,
  };
  const failures: unknown[] = [];
  const onFailure = (error: unknown): void => void failures.push(error);
  const cache = (client = "ada/1") => makeSharedCache({ store, sealer, writes: new OpenWork(), onFailure }, client);
  return { cache, put, got, stored, failures };
}

test("a result is kept for ten minutes, and one that is too long is kept by its own process alone", async () => {
  const { cache, put } = startCaches();
  const [here, there] = [cache(), cache()];
  const ids = [MOST_BYTES, MOST_BYTES + 1].map((size) => here.keep("s", Buffer.alloc(size, "1"), "number"));
  await here.settled();
  expect([here.mostShared, put]).toEqual([MOST_BYTES, [600_000]]);
  await there.fetch("s", importOf(...ids));
  expect(ids.map((id) => here.of("s").read(id)?.length)).toEqual([MOST_BYTES, MOST_BYTES + 1]);
  expect(ids.map((id) => there.of("s").read(id)?.length)).toEqual([MOST_BYTES, undefined]);
});

test("what is there is not fetched, what is named twice is fetched once, and of very many names the first ones", async () => {
  const { cache, got } = startCaches();
  const [here, there] = [cache(), cache()];
  const id = here.keep("s", Buffer.from("1"), "number");
  await here.settled();
  await here.fetch("s", importOf(id));
  expect(got).toEqual([]);
  await there.fetch("s", `${importOf(id, id)} "@codemode/results/short" "@codemode/result/${id}"`);
  expect(got).toEqual([expect.stringMatching(new RegExp(`^result/ada%2F1/[\\w-]+/${id}$`))]);
  await there.fetch("s", importOf(...Array.from({ length: 20 }, (_, index) => `${index}`.padStart(22, "x"))));
  expect(got).toHaveLength(17);
});

test("a result is found by the scripts of its session on another replica, after one that was not found too, and by no others; the store cannot read it", async () => {
  const { cache, stored } = startCaches();
  const [here, there] = [cache(), cache()];
  const jsons = ["1", '"a\\nb"'];
  const ids = jsons.map((json) => here.keep("s", Buffer.from(json), "JSON"));
  await here.settled();
  for (const [other, session] of [
    [cache("bob"), "s"],
    [there, "another"],
  ] as const) {
    await other.fetch(session, importOf(...ids));
    expect(ids.map((id) => other.of(session).read(id))).toEqual([undefined, undefined]);
  }
  await there.fetch("s", importOf("x".repeat(22), ...ids));
  expect(ids.map((id) => [there.of("s").read(id)?.toString(), there.of("s").typeOf(id)])).toEqual(
    jsons.map((json) => [json, "JSON"]),
  );
  expect(stored).toHaveLength(2);
  expect(stored.join()).not.toContain("a\\nb");
});

test("a store that fails is a failure of the log alone", async () => {
  const gone = async (): Promise<never> => {
    throw new Error("the store is gone");
  };
  const { cache, failures } = startCaches({ put: gone, get: gone });
  const here = cache();
  here.keep("s", Buffer.from("1"), "number");
  await here.settled();
  await cache().fetch("s", importOf("x".repeat(22)));
  expect(failures).toMatchObject([{ message: "the store is gone" }, { message: "the store is gone" }]);
});

test("others find a result when it is settled", async () => {
  let written!: () => void;
  const { cache } = startCaches({ put: () => new Promise((resolve) => (written = resolve)) });
  const here = cache();
  here.keep("s", Buffer.from("1"), "number");
  let isSettled = false;
  const settling = here.settled().then(() => (isSettled = true));
  await new Promise((settle) => setImmediate(settle));
  expect(isSettled).toBe(false);
  written();
  await settling;
});
