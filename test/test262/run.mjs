// TEST262=FOLDER npm run test262: runs a sample of the official tests of ECMAScript in plain Node and in the sandbox, and compares. TEST262_COUNT says how many,
// TEST262_SEED which: another sample each time unless it is given.
// The suite is not part of the repository: FOLDER is a checkout of tc39/test262.
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";

import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { bundleScript } from "../../dist/engine/bundle/bundle-script.js";
import { makeSandboxPool } from "../../dist/runtime/sandbox/pool/pool.js";
import { runBundle } from "../../dist/runtime/sandbox/pool/run-bundle.js";
import { DEFAULTS } from "../../dist/schemas/config/config-file.js";
import { CLASSES } from "./classes.mjs";
import { listTests } from "./list-tests.mjs";

const AT_ONCE = 2;
const LISTED = 200;

const folder = process.env.TEST262;
if (folder === undefined) throw new Error("Set TEST262 to a folder with a checkout of tc39/test262.");
const count = Number(process.env.TEST262_COUNT ?? 3000);

const pool = makeSandboxPool({ size: AT_ONCE, reuse: { times: 10_000, renew: "compartment" } });
const seed = process.env.TEST262_SEED ?? randomBytes(4).toString("hex");
console.log(`TEST262_SEED=${seed} repeats this sample.`);
const tests = listTests(folder, seed);
const results = [];
await Promise.all(Array.from({ length: AT_ONCE }, work));
await pool.close();
report();

/** Takes tests until enough have passed in plain Node. */
async function work() {
  const node = startNode();
  while (results.length < count) {
    const { value: test } = tests.next();
    if (test === undefined) break;
    const expected = test.isNegative ? "refused" : "value";
    const inNode = await node.run(test.code, true);
    if (inNode.kind !== expected) continue;
    const result = { ...test, inNode };
    results.push(result);
    const bundled = await bundle(test.code);
    result.sandbox = bundled.ok ? await runInSandbox(bundled.bundle) : toOutcome(bundled.diagnostics);
    if (result.sandbox.kind !== expected && bundled.ok) {
      result.bundleInNode = await node.run(bundled.bundle.code, false);
      result.frozenInNode = await node.run(test.frozen, true);
    }
    if (results.length % 500 === 0) console.log(`${results.length} tests`);
  }
  node.stop();
}

async function bundle(code) {
  try {
    return await bundleScript({ code, name: "test.js" }, { generatedFolder: "", lockfile: { servers: new Map() } });
  } catch (error) {
    return { ok: false, diagnostics: [{ severity: "error", code: "INTERNAL", message: String(error) }] };
  }
}

async function runInSandbox(program) {
  const { diagnostics } = await runBundle(program, {
    pool,
    limits: { ...DEFAULTS.limits, timeoutMs: 10_000 },
    handleCall: () => Promise.reject(new Error("There are no tools here.")),
    trustDomain: "test262",
  });
  return toOutcome(diagnostics);
}

function toOutcome(diagnostics) {
  const error = diagnostics.find(({ severity }) => severity === "error");
  // A test may export anything, and leave promises behind: plain Node is asked for neither.
  if (error === undefined || ["RESULT_UNSERIALIZABLE", "UNHANDLED_REJECTION"].includes(error.code))
    return { kind: "value", text: "" };
  const isRefused = error.code === "SYNTAX_ERROR" && error.path !== undefined;
  return { kind: isRefused ? "refused" : "error", text: `${error.code}: ${error.message}` };
}

function startNode() {
  const program = fileURLToPath(new URL("./node-process.mjs", import.meta.url));
  const execArgv = ["--experimental-vm-modules", "--no-warnings"];
  let child = fork(program, { execArgv });
  return {
    async run(code, isModule) {
      child.send({ id: 0, code, isModule });
      const answer = await Promise.race([once(child, "message"), once(child, "exit").then(() => undefined)]);
      child.removeAllListeners();
      if (answer !== undefined) return answer[0].outcome;
      child = fork(program, { execArgv });
      return { kind: "error", text: "The process has ended." };
    },
    stop: () => child.kill(),
  };
}

function report() {
  const counts = new Map();
  const unexplained = [];
  const passed = { positive: 0, negative: 0 };
  const total = { positive: 0, negative: 0 };
  const passes = { kind: "value", text: "" };
  for (const { path, source, code, isNegative, sandbox, bundleInNode = passes, frozenInNode = passes } of results) {
    const kind = isNegative ? "negative" : "positive";
    total[kind] += 1;
    if (sandbox.kind === (isNegative ? "refused" : "value")) {
      passed[kind] += 1;
      continue;
    }
    const found = CLASSES.find((one) =>
      one.matches({ path, source, harness: code, message: sandbox.text, bundleInNode, frozenInNode, isNegative }),
    );
    const name = found?.name ?? "unexplained";
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (found?.difference === undefined)
      unexplained.push(`${name}\t${path}\t${sandbox.text.slice(0, 160)}\t${bundleInNode.text.slice(0, 80)}`);
  }
  console.log(
    `\npositive: ${passed.positive} of ${total.positive} pass; negative: ${passed.negative} of ${total.negative} are refused with a place\n`,
  );
  console.log("| why others fail | tests | difference by design |\n| --- | ---: | --- |");
  for (const [name, number] of [...counts].toSorted(([, left], [, right]) => right - left)) {
    console.log(
      `| ${name} | ${number} | ${CLASSES.find((one) => one.name === name)?.difference ?? "none: a mistake"} |`,
    );
  }
  if (unexplained.length === 0) return;
  console.log(`\n${unexplained.length} differences that nothing explains:\n${unexplained.slice(0, LISTED).join("\n")}`);
  process.exitCode = 1;
}
