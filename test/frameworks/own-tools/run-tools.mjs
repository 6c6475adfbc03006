// Usage: node run-tools.mjs FRAMEWORK. Prints what scripts get from its tools, as JSON.
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { codeMode } from "codemode";
import { FRAMEWORKS } from "./make-tools.mjs";

const { make, contextOf } = FRAMEWORKS[process.argv[2]];
const isMcp = process.argv[2].startsWith("mcp");
let decision = false;
const asked = [];
const code = await codeMode(
  { todos: await make() },
  {
    limits: { timeoutMs: 20_000 },
    policy: isMcp ? { askEach: ["todos/createTodo"] } : {},
    approve: async ({ call, context }) => {
      asked.push([call.input, context?.user ?? context?.authInfo.clientId]);
      return decision;
    },
  },
);
const script = (names, expression) =>
  `import { ${names} } from "@codemode/servers/todos";
const read = (value) => (typeof value === "string" ? JSON.parse(value) : value);
const said = ({ name, message }) => ({ name, message });
export default ${expression};`;
async function run(names, expression, options = {}) {
  const { result, diagnostics } = await code.run({ code: script(names, expression) }, options);
  return diagnostics.length === 0 ? result : { code: diagnostics[0].code, message: diagnostics[0].message };
}

const user = "read(await getUser({ id: 'u1' }))";
const outcome = { description: code.tool.description.includes("getUser") };
const events = [];
const onCall = ({ kind }) => events.push(kind);
outcome.result = await run("getUser", user, { context: contextOf("ada"), onCall });
outcome.events = events;
const create = "await createTodo({ title: 'tea' }).then(read, said)";
outcome.refused = await run("createTodo", create, { context: contextOf("ada") });
decision = true;
outcome.given = await run("createTodo", create, { context: contextOf("ada") });
outcome.asked = asked;
const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);
const seen = await Promise.all(users.map((each) => run("getUser", user, { context: contextOf(each) })));
outcome.ownContext = seen.filter((each, index) => each.user === users[index]).length;
outcome.thrown = await run("fail", "await fail().catch(said)");
outcome.big = await run("big", "(await big()).length");

const gone = new AbortController();
const waiting = run("wait", "await wait()", { signal: gone.signal });
// sleeps: until the call is under way in the sandbox
await delay(300);
const began = performance.now();
gone.abort();
outcome.cancelled = (await waiting).code;
outcome.cancelledInTime = performance.now() - began < 5000;

// The host goes on while a script has an endless loop.
let beats = 0;
const beat = setInterval(() => (beats += 1), 20);
outcome.endless = (await run("getUser", "(() => { for (;;) ; })()", { limits: { timeoutMs: 1000 } })).code;
clearInterval(beat);
outcome.hostIsFree = beats > 10;
await code.close();
process.stdout.write(JSON.stringify(outcome));
