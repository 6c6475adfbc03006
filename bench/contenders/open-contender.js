import { fork } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { shorten } from "../suite/measure.js";

const LEVELS = ["process", "realm", "compartment"];

/** codemode at each level of isolation: through `serve` as an agent uses it, and through its library as the peers are used. */
const CODEMODE = Object.fromEntries(
  LEVELS.flatMap((isolation) => [
    [`codemode serve, ${isolation}`, { module: "./codemode-serve.js", settings: { isolation } }],
    [`codemode library, ${isolation}`, { module: "./codemode-host.js", settings: { isolation } }],
  ]),
);

/** What each level costs at the least: `floor.js`. The lowest one is the first line of a table. */
const FLOORS = Object.fromEntries(
  LEVELS.toReversed().map((isolation) => [`floor, ${isolation}`, { module: "./floor.js", settings: { isolation } }]),
);

/** Everyone who is measured: the module that opens it, and the flags that its process needs. */
const CONTENDERS = {
  ...FLOORS,
  ...CODEMODE,
  "UTCP, isolated-vm": { module: "../peers/utcp.js", nodeFlags: ["--no-node-snapshot"] },
  "mcp-use, node:vm": { module: "../peers/mcp-use.js" },
  "Executor, QuickJS": { module: "../peers/executor.js" },
  "SDK client, no sandbox": { module: "../peers/sdk-client.js" },
  "the server alone": { module: "./server-alone.js" },
};

/** Who takes functions of the process that asks: codemode at each level, the fastest first, and peers. */
export const OWN_CONTENDERS = {
  ...Object.fromEntries(
    LEVELS.toReversed().map((isolation) => [
      `codemode, ${isolation}`,
      { module: "./codemode-own.js", settings: { isolation } },
    ]),
  ),
  "UTCP, own protocol": { module: "../peers/utcp-own.js", nodeFlags: ["--no-node-snapshot"] },
  "Executor, own functions": { module: "../peers/executor-own.js" },
};

/** The same contenders from another checkout: `npm run bench -- --before FOLDER` compares two versions in one run. */
const BEFORE = process.env["BENCH_BEFORE"];
const BEFORE_SUFFIX = " (before)";

/** The contenders that run scripts, in the order of the tables. */
export const CONTENDER_NAMES = [
  ...Object.keys(CONTENDERS).filter((name) => name !== "the server alone"),
  ...(BEFORE === undefined ? [] : Object.keys(CODEMODE).map((name) => `${name}${BEFORE_SUFFIX}`)),
];

/** A run that takes longer has failed: the other contenders go on. */
const TIMEOUT_MS = 120_000;

/** The folder that a contender's files stand in, and its entry in the table. */
function findContender(name) {
  if (!name.endsWith(BEFORE_SUFFIX)) return { base: import.meta.url, ...(CONTENDERS[name] ?? OWN_CONTENDERS[name]) };
  const base = pathToFileURL(`${BEFORE}/bench/contenders/open-contender.js`).href;
  return { base, ...CONTENDERS[name.slice(0, -BEFORE_SUFFIX.length)] };
}

/**
 * Opens a contender in a process of its own, connected to its server. What it measures it measures there.
 * @returns `run(work)`, which resolves to `{ ms }`, `flood(work, amount)` for many at a time, its `pid`, and `close()`
 */
export async function openContender(name, options) {
  const { base, module, settings, nodeFlags = [] } = findContender(name);
  const program = fileURLToPath(new URL("contender-process.js", base));
  const child = fork(program, [new URL(module, base).href], {
    execArgv: nodeFlags,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr = (stderr + chunk).slice(-500)));
  let waiting;
  child.on("message", (message) => {
    if ("error" in message) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.value);
  });
  child.once("exit", () => waiting?.reject(new Error(`it ended: ${stderr}`)));
  const ask = (question) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        reject(new Error(`no answer in ${TIMEOUT_MS / 1000} s`));
      }, TIMEOUT_MS);
      const settle = (end) => (value) => {
        clearTimeout(timer);
        end(value);
      };
      waiting = { resolve: settle(resolve), reject: settle(reject) };
      child.send(question);
    });
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.send({ kind: "close" });
    const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(timer);
  };
  try {
    const { earlierProject, ...own } = options;
    const project = name.endsWith(BEFORE_SUFFIX) ? earlierProject : own.project;
    await ask({ kind: "open", options: { ...own, ...settings, project } });
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  return {
    name,
    pid: child.pid,
    run: async (work) => toTime(await ask({ kind: "run", work })),
    flood: (work, amount) => ask({ kind: "flood", work, ...amount }),
    close,
  };
}

/** Earlier versions of the benchmarks give a number. */
function toTime(answer) {
  return typeof answer === "number" ? { ms: answer } : answer;
}

/** Opens those of the contenders that can be opened here; the others are named with the reason. */
export async function openContenders(names, options) {
  const opened = new Map();
  const missing = new Map();
  for (const name of names) {
    try {
      opened.set(name, await openContender(name, options));
    } catch (error) {
      missing.set(name, { error: shorten(error) });
    }
  }
  return { opened, missing, close: () => Promise.all([...opened.values()].map((contender) => contender.close())) };
}
