// Usage: node probe.js PEER. Prints each finding as a line of JSON.
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { PEERS } from "./peers.js";

const USERS = 20;
const RUNS = 25;
const CALLS = 200;
/** Of a run, where a system has such a limit. */
const TIMEOUT_MS = 8000;

const request = new AsyncLocalStorage();
const made = [];
/** The functions of the program. `who` is what the system's own way to the request gave. */
const work = {
  async getUser({ id }, who) {
    await delay(5);
    return { id, name: "Ada", context: who ?? null, store: request.getStore() ?? null };
  },
  echo: ({ message }) => ({ message }),
  createTodo({ title }) {
    made.push(title);
    return { title };
  },
};

const peer = PEERS.find(({ name }) => name === process.argv[2]);
const { call, run } = await peer.open(work, { timeoutMs: TIMEOUT_MS });
const say = (finding) => console.log(JSON.stringify(finding));
const messageOf = (error) => String(error?.message ?? error).split("\n")[0];
const runAs = (user, body) => request.run(user, () => run(body, { user }));

const getUser = `return await ${call("getUser", '{ id: "u1" }')};`;
await runAs("warm", getUser);
const users = Array.from({ length: USERS }, (_, index) => `u${index}`);
const seen = await Promise.all(users.map((user) => runAs(user, getUser).catch(() => ({}))));
const count = (key) => `${seen.filter((value, index) => value?.[key] === users[index]).length} of ${USERS}`;
say({ context: count("context"), store: count("store") });

const create = `return await ${call("createTodo", '{ title: "tea" }')};`;
const refusal = await runAs("ada", create).then(() => undefined, messageOf);
say({ approval: made.length > 0 ? "**ran**" : refusal === undefined ? "did not run" : "refused" });

const misspelt = `const user = await ${call("getUser", '{ id: "u1" }')}; return user.nmae.length;`;
// What is slow the first time, such as a type checker, is not what is compared.
await runAs("ada", misspelt).catch(() => undefined);
const field = await runAs("ada", misspelt).then((value) => `no error: ${JSON.stringify(value)}`, messageOf);
say({ field: field.slice(0, 160) });

if (peer.hasNoSandbox === true) {
  say({ endless: "its Worker is not here" });
  process.exit(0);
}
let [last, longest] = [performance.now(), 0];
const beat = setInterval(() => {
  longest = Math.max(longest, performance.now() - last);
  last = performance.now();
}, 20);
const startedAt = performance.now();
await runAs("ada", "for (;;) ;").catch(() => undefined);
await delay(50);
clearInterval(beat);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
say({ endless: longest > 1000 ? `ended after ${seconds} s, **host blocked**` : `ended after ${seconds} s, host free` });
const echo = call("echo", '{ message: "hello" }');
const one = `return await ${echo};`;
const many = `let last; for (let n = 0; n < ${CALLS}; n += 1) last = await ${echo}; return last;`;
const timeOf = async (body) => {
  const startedAt = performance.now();
  await runAs("ada", body);
  return performance.now() - startedAt;
};
const median = (times) => times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)];
// Some end their process in loops of calls.
process.once("uncaughtException", (error) => {
  say({ failure: messageOf(error) });
  process.exit(1);
});
try {
  const [ones, manys] = [[], []];
  for (let n = 0; n < RUNS; n += 1) {
    ones.push(await timeOf(one));
    if (n % 5 === 0) manys.push(await timeOf(many));
  }
  const oneMs = median(ones);
  say({ oneMs, callUs: ((median(manys) - oneMs) * 1000) / (CALLS - 1) });
} catch (error) {
  say({ failure: messageOf(error) });
}
process.exit(0);
