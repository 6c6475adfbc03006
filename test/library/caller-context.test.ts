import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { type EngineOptions, type HostEvent, openProject } from "codemode";
import { makeGeneratedProject, SERVERS } from "../e2e/run-codemode.ts";

/** Who asks, as a web framework keeps it for each request. */
interface User {
  name: string;
}
const request = new AsyncLocalStorage<User>();

/** Notes in whose request each callback runs, and for whom it should. */
function makeNotes() {
  const seen = new Map<string, { right: number; wrong: number }>();
  return {
    seen,
    note(callback: string, name: unknown): void {
      const counts = seen.get(callback) ?? { right: 0, wrong: 0 };
      counts[request.getStore()?.name === name ? "right" : "wrong"] += 1;
      seen.set(callback, counts);
    },
  };
}

/** Notes in whose request listeners get the events of each run. */
function noteEvents(note: ReturnType<typeof makeNotes>["note"]): (event: HostEvent) => void {
  const names = new WeakMap<object, string | undefined>();
  return (event) => {
    if (!("run" in event)) return;
    if (event.type === "run-started") names.set(event.run, request.getStore()?.name);
    note(event.type, names.get(event.run));
  };
}

const SCRIPT = `import { echo, get_sum } from "@codemode/servers/everything";
  const name = globalThis.__codemode_input__;
  console.log(name);
  await echo({ message: name });
  await get_sum({ a: Number(name.slice(1)), b: 0 });
  console.log(name);
  export default name;`;

/** Its server asks a person, which it does for one call at a time. */
const ASKING = `import { trigger_elicitation_request } from "@codemode/servers/everything";
  const name = globalThis.__codemode_input__;
  const answer = JSON.stringify(await trigger_elicitation_request({}));
  if (!answer.includes(name)) throw new Error(name + " was not asked: " + answer);
  export default name;`;

/** A project whose server asks persons, and an engine of it. */
async function openNoted(options: EngineOptions) {
  const { seen, note } = makeNotes();
  const config = {
    mcpServers: { everything: SERVERS.everything },
    policy: { allow: ["*"], askEach: ["everything/get-sum"] },
  };
  const project = await openProject({ cwd: await makeGeneratedProject({ "codemode.config.json": config }) });
  const engine = await project.openEngine({
    ...options,
    observers: [noteEvents(note)],
    async approve({ call }) {
      const { a } = (call as { input: object }).input as { a: number };
      note("approve", `u${a}`);
      // sleeps: some are away for longer than a durable run keeps its sandbox, by the clock of a built program
      await delay(a >= 900 ? 150 : 1);
      note("approve", `u${a}`);
      return true;
    },
    async ask() {
      const name = request.getStore()?.name ?? "none";
      note("ask", name);
      return { action: "accept", content: { name } };
    },
  });
  /** One request of a user. */
  const run = (user: User, code = SCRIPT) =>
    request.run(user, async () => {
      const { diagnostics } = await engine.run(
        { code },
        {
          input: user.name,
          onLog: ({ message }) => note("onLog", message),
          onCall: () => note("onCall", user.name),
        },
      );
      expect(diagnostics).toEqual([]);
    });
  return { engine, seen, note, run };
}

/** The names of callbacks that ran in the context of another request, or of none. */
function wrongOnes(seen: Awaited<ReturnType<typeof openNoted>>["seen"]): string[] {
  return [...seen].filter(([, { wrong }]) => wrong > 0).map(([name, { right, wrong }]) => `${name} ${wrong}/${right}`);
}

const LEVELS: EngineOptions[] = [
  { isolation: "process" },
  { isolation: "realm", reuse: 3 },
  { isolation: "compartment", reuse: 3 },
];

test.each(LEVELS)("callbacks run in the async context of the request that asked: %o", async (level) => {
  const { engine, seen, run } = await openNoted(level);
  await run({ name: "u1" });
  await run({ name: "u2" }, ASKING);
  await Promise.all([3, 4, 5, 6].map((count) => run({ name: `u${count}` })));
  expect(wrongOnes(seen)).toEqual([]);
  expect([...seen.keys()].toSorted()).toEqual([
    "approve",
    "ask",
    "bundled",
    "call-checked",
    "call-ended",
    "call-reviewed",
    "call-settled",
    "call-started",
    "log",
    "onCall",
    "onLog",
    "question-ended",
    "reviewed",
    "run-ended",
    "run-started",
    "script-ended",
    "script-started",
  ]);
  seen.clear();
  const call = (user: User) =>
    request.run(user, () =>
      engine.describeTool().call({ code: SCRIPT.replace("globalThis.__codemode_input__", `"${user.name}"`) }),
    );
  await Promise.all([1, 2, 3].map((count) => call({ name: `u${count}` })));
  await Promise.all(
    [4, 5].map((a) => request.run({ name: `u${a}` }, () => engine.callTool("everything/get-sum", { a, b: 1 }))),
  );
  expect(wrongOnes(seen)).toEqual([]);
  expect(seen.get("approve")).toMatchObject({ right: 10 });
  await engine.close();
});

test("the same in durable runs, also after their sandbox was given back", async () => {
  const { engine, seen, note } = await openNoted({});
  const run = (user: User) =>
    request.run(user, () =>
      engine.run(
        { code: SCRIPT },
        {
          input: user.name,
          durable: {
            suspendAfterMs: 20,
            onBegun: () => note("onBegun", user.name),
            onSuspended: () => note("onSuspended", user.name),
          },
          onLog: ({ message }) => note("onLog", message),
          onCall: () => note("onCall", user.name),
        },
      ),
    );
  const answers = await Promise.all(["u900", "u901"].map((name) => run({ name })));
  expect(answers.map(({ result }) => result)).toEqual(["u900", "u901"]);
  expect(wrongOnes(seen)).toEqual([]);
  expect([...seen.keys()]).toEqual(expect.arrayContaining(["approve", "onBegun", "onCall", "onLog", "onSuspended"]));
  await engine.close();
});

test("nothing that an engine keeps holds the store of a request", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const stores: WeakRef<User>[] = [];
  const makeUser = (name: string): User => {
    const user = { name };
    stores.push(new WeakRef(user));
    return user;
  };
  // A program may open its engine in its first request.
  const { engine, run } = await request.run(makeUser("u0"), () => openNoted({ isolation: "compartment", reuse: 3 }));
  await run(makeUser("u1"), ASKING);
  await Promise.all([2, 3, 4].map((count) => run(makeUser(`u${count}`))));
  await request.run(makeUser("u5"), () => engine.run({ code: "export default nothing.here" }));
  await request.run(makeUser("u6"), () => engine.run({ code: SCRIPT }, { input: "u6", durable: true }));
  await request.run(makeUser("u7"), () => engine.callTool("everything/get-sum", { a: 7, b: 1 }));
  const held = (): number[] => {
    collect();
    return stores.flatMap((store, index) => (store.deref() === undefined ? [] : [index]));
  };
  await expect.poll(held, { timeout: 5000 }).toEqual([]);
  await engine.close();
});
