import { expect, test } from "vitest";
import type { RunInside } from "../../../serve/long-runs/runs.ts";
import { type RunStore, makeMemoryStore } from "../../../serve/store/run-store.ts";
import { makeRunRecords } from "../../../extras/stores/run-records.ts";
import type { ServerQuestion } from "../../../schemas/run/question.ts";
import type { ToolCallResult } from "../../../serve/surface.ts";
import { sealer, DONE, startReplica, aRun, aRequest } from "./start-replica.ts";

test("a request that is let go has the id that another replica answers for", async () => {
  const store = makeMemoryStore();
  const [one, other] = [await startReplica(store), await startReplica(store)];
  const run = aRun(DONE);
  const begun = one.begin(run.work, aRequest());
  one.letGo();
  const news = await begun;
  expect(news).toMatchObject({ kind: "continues" });
  const waited = other.wait((news as { id: string }).id, aRequest());
  run.end();
  expect(await waited).toEqual({ kind: "ended", result: DONE });
});

/** A store that takes its time to write. */
function makeSlowStore(): RunStore {
  const store = makeMemoryStore();
  return {
    ...store,
    async put(...entry) {
      await new Promise((settle) => setTimeout(settle, 20));
      await store.put(...entry);
    },
  };
}

test("a client gets the id of a run when the other replicas know of it, and what it asks", async () => {
  const store = makeSlowStore();
  const one = await startReplica(store);
  const records = makeRunRecords({ store, sealer }, "");
  const run = aRun(DONE);
  const begun = one.begin(run.work, aRequest());
  one.letGo();
  expect(await records.read(((await begun) as { id: string }).id)).toBeDefined();
  run.end();
  const asked = (await one.begin(asking, aRequest())) as { id: string };
  expect((await records.read(asked.id))?.details?.question).toMatchObject({ number: 1 });
});

test("a run of this process is asked for here, also where the store has lost it", async () => {
  const store = makeMemoryStore();
  const one = await startReplica({ ...store, get: async () => undefined });
  const run = aRun(DONE);
  const begun = one.begin(async (inside) => {
    setTimeout(() => inside.stream.logged({ level: "log", message: "later", timeMs: 0 }), 10);
    return run.work();
  }, aRequest());
  one.letGo();
  const { id } = (await begun) as { id: string };
  const waiting = one.wait(id, aRequest());
  setTimeout(() => one.letGo(), 50);
  expect(await waiting).toMatchObject({ kind: "continues", logs: [{ message: "later" }] });
  expect(await one.look(id, "")).toMatchObject({ id });
  run.end();
  expect(await one.wait(id, aRequest())).toEqual({ kind: "ended", result: DONE });
});

test("a run makes the first call of each tool when the other replicas know of it", async () => {
  const store = makeSlowStore();
  const one = await startReplica(store);
  const known: unknown[] = [];
  const work = async (inside: RunInside) => {
    for (const toolName of ["read", "write"]) {
      inside.stream.callEvent({ kind: "started", serverId: "notes", toolName, number: 1 });
      await inside.beforeCall?.();
      const { runId } = await records.claim("job", { runId: "", call: "" });
      known.push((await records.read(runId))?.details?.calls);
    }
    return DONE;
  };
  const records = makeRunRecords({ store, sealer }, "");
  await one.begin(work, aRequest("job"));
  expect(known).toEqual([["notes/read"], ["notes/read", "notes/write"]]);
});

const QUESTION: ServerQuestion = { serverId: "files", lines: ["Who?"], mode: "form", fields: [] };

async function asking({ ask, signal }: RunInside): Promise<ToolCallResult> {
  const reply = await ask(QUESTION, signal);
  return { content: [{ type: "text", text: reply.action }] };
}

test("a reply reaches the question of its number on another replica, and no other one", async () => {
  const store = makeMemoryStore();
  const [one, other] = [await startReplica(store), await startReplica(store)];
  const news = await one.begin(asking, aRequest());
  if (news.kind !== "asks") throw new Error(news.kind);
  const { id, number } = news;
  const late = await other.reply(id, number - 1, { action: "accept" }, aRequest());
  expect(late).toEqual({ kind: "late", id });
  const ended = await other.reply(id, number, { action: "decline" }, aRequest());
  expect(ended).toEqual({ kind: "ended", result: { content: [{ type: "text", text: "decline" }] } });
});

test("a reply that cannot be written into the store is a failure of the log, and ends no process", async () => {
  const store = makeMemoryStore();
  const failures: unknown[] = [];
  const broken: RunStore = {
    ...store,
    async put(name, value, ttlMs) {
      if (name.startsWith("mail/")) throw new Error("the store is gone");
      await store.put(name, value, ttlMs);
    },
  };
  const one = await startReplica(store);
  const other = await startReplica(broken, (error) => void failures.push(error));
  const news = await one.begin(asking, aRequest());
  if (news.kind !== "asks") throw new Error(news.kind);
  const attended = other.wait(news.id, { ...aRequest(), ask: async () => ({ action: "decline" }) });
  await expect.poll(() => failures).toMatchObject([{ message: "the store is gone" }]);
  await one.reply(news.id, news.number, { action: "cancel" }, aRequest());
  expect(await attended).toMatchObject({ kind: "ended" });
});
