// Runs a module and the bundle of it in plain Node, each in a realm of its own, and says what both came to.
import { createContext, Script, SourceTextModule } from "node:vm";
import { inspect } from "node:util";

const TIMEOUT_MS = 1_000;

// Promises may be rejected too late for Node.
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);
process.on("message", async ({ code, bundle }) => {
  const [module, again] = [await run(() => runModule(code)), await run(() => runModule(code))];
  // What tells the time or tosses a coin cannot be compared.
  process.send(module === again ? { module, bundle: await run(() => runBundle(bundle)) } : { module, bundle: module });
});

/** What a program gave, or threw, as text. */
async function run(start) {
  try {
    return inspect(await start(), { depth: 4, breakLength: Infinity });
  } catch (error) {
    return `${error?.name}: ${error?.message}`;
  }
}

async function runModule(code) {
  const context = makeContext();
  const module = new SourceTextModule(code, { context });
  await module.link(() => module);
  await module.evaluate({ timeout: TIMEOUT_MS });
  const { __codemode_result__: result } = context;
  return result === undefined ? await module.namespace.default : result;
}

async function runBundle(code) {
  const context = makeContext();
  await new Script(code).runInContext(context, { timeout: TIMEOUT_MS });
  return context.__codemode_result__;
}

function makeContext() {
  return createContext({ console: { log() {}, error() {}, warn() {} }, setTimeout });
}
