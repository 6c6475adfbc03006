// Measures what a trick of speed saves: `node bench/speed-tricks.js`, after `npm run build`. Linux only. A trick stays where that is at least 5 % of its
// operation (decision 0193). Each side is a process of its own, with the text of one module replaced on the one that is without the trick.
import { spawnSync } from "node:child_process";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { codemodeScript } from "./contenders/codemode-script.js";
import { OWN_FUNCTIONS } from "./contenders/own-functions.js";
import { ECHO_SERVER, makeProject } from "./suite/make-project.js";
import { summarize } from "./suite/measure.js";
import { readProcessorTime } from "./suite/processor-time.js";

const ROUNDS = 5;

/** By its name: the module, what stands in the place of a part of it without the trick, and what is done with it. */
const TRICKS = {
  "one system call for the writes of a turn": {
    file: "/wire/turn-writer.js",
    part: /if \(!isGathering\)/,
    without: "if (false)",
    works: { "a call": () => call(1), "100 calls at once": () => call(100) },
  },
  "a run waits for an idle sandbox": {
    file: "/pool/idle-processes.js",
    part: /expects: \(.*?,\n/s,
    without: "expects: () => false,\n",
    works: { "a run after another": () => run(1), "runs, 4 at once": () => run(4) },
  },
  "a run waits for the Compartment of the process that has answered": {
    file: "/pool/idle-processes.js",
    part: /compartment: 5 /,
    without: "compartment: 0 ",
    works: { "a run after another": () => runOwn({ calls: 1, warmUps: 1, runs: 300 }) },
  },
  "the host stays awake between a reply and the next call": {
    file: "/pool/stay-awake.js",
    part: /availableParallelism\(\) > 1/,
    without: "false",
    works: { "a call of an own function": callOwn },
  },
  "no promise for a function that answers at once": {
    file: "/library/own-tool.js",
    part: /return isPromise\(value\) .*;/,
    without: "return Promise.resolve(value).then(step);",
    works: { "a call of an own function": callOwn },
  },
  "options of a call that are not spread": {
    file: "/lock/guard-connections.js",
    part: /Object\.assign\(\{\}, options, \{ renewals \}\)/,
    without: "{ ...options, renewals }",
    works: { "a call of an own function": callOwn },
  },
};

function compare() {
  for (const [trick, { works }] of Object.entries(TRICKS)) {
    for (const work of Object.keys(works)) {
      const [withIt, without] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        withIt.push(measure(trick, work));
        without.push(measure(trick, work, "--without"));
      }
      const [fast, slow] = [summarize(withIt).value, summarize(without).value];
      const share = `${((1 - fast / slow) * 100).toFixed(1)} %`;
      process.stdout.write(`${trick} | ${work} | ${fast.toFixed(3)} ms, without ${slow.toFixed(3)} ms | ${share}\n`);
    }
  }
}

/** @returns the processor time of one operation, in milliseconds */
function measure(trick, work, ...others) {
  const args = [fileURLToPath(import.meta.url), "--trick", trick, "--work", work, ...others];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** A server that says nothing but what it is asked. */
const SERVER = `
  const results = { initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } };
  const result = { content: [{ type: "text", text: "hello" }] };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? result }));
  });`;

/** A call over a pipe, so many at once: the host's processor time. */
async function call(atOnce) {
  const { connectServer } = await import("@codemode/runtime/connections/connect-server");
  const place = { transport: "stdio", command: process.execPath, args: ["-e", SERVER], env: {}, cwd: process.cwd() };
  const connection = await connectServer({ id: "s", name: "s", timeoutMs: 10_000, era: "legacy", ...place });
  const flood = async (calls) => {
    for (let done = 0; done < calls; done += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, () => connection.callTool("echo", { message: "hello" })));
    }
  };
  await flood(5_000);
  const before = process.cpuUsage();
  await flood(10_000);
  const { user, system } = process.cpuUsage(before);
  await connection.close();
  return (user + system) / 1000 / 10_000;
}

const SCRIPT =
  'import { echo } from "@codemode/servers/everything";\nawait echo({ message: "hello" });\nexport default 1;\n';

/** The first runs of one client in realms, so many at once: the processor time of all processes, starts of sandboxes included. */
async function run(atOnce) {
  const project = await makeProject({ everything: ECHO_SERVER });
  // Not the linked program: one module of it is replaced.
  const { openProject } = await import("../dist/library/index.js");
  const opened = await openProject({ cwd: project.folder });
  const engine = await opened.openEngine({ concurrency: 8, isolation: "realm" });
  const before = readProcessorTime(process.pid);
  for (let done = 0; done < 128; done += atOnce) {
    const answers = Array.from({ length: atOnce }, () => engine.run({ code: SCRIPT, name: "script.ts" }));
    for (const { result, diagnostics } of await Promise.all(answers)) {
      if (result !== 1) throw new Error(JSON.stringify(diagnostics));
    }
  }
  const cpuMs = (readProcessorTime(process.pid) - before) / 128;
  await engine.close();
  await project.remove();
  return cpuMs;
}

/** A call of a function of the program, one after the other: the processor time of all processes. */
async function callOwn() {
  return (await runOwn({ calls: 100, warmUps: 100, runs: 200 })) / 100;
}

/** A run with so many calls of a function of the program, one after the other in Compartments: the processor time of all processes. */
async function runOwn({ calls, warmUps, runs }) {
  const { codeMode } = await import("../dist/library/index.js");
  const code = await codeMode({ everything: OWN_FUNCTIONS }, { isolation: "compartment", concurrency: 1 });
  const script = { code: codemodeScript({ calls }), name: "script.ts" };
  const flood = async (count) => {
    for (let done = 0; done < count; done += 1) await code.run(script);
  };
  await flood(warmUps);
  const before = readProcessorTime(process.pid);
  await flood(runs);
  const cpuMs = (readProcessorTime(process.pid) - before) / runs;
  await code.close();
  return cpuMs;
}

/** The module of a trick is read by a hook on both sides, which costs something by itself. */
function loadModule({ file, part, without }, isLeftOut) {
  const hook = `
    export async function load(url, context, next) {
      const loaded = await next(url, context);
      if (!url.endsWith(${JSON.stringify(file)})) return loaded;
      const source = String(loaded.source);
      const changed = source.replace(${part}, ${JSON.stringify(without)});
      if (changed === source) throw new Error("The trick is not where it was: ${file}");
      return { ...loaded, source: ${isLeftOut} ? changed : source };
    }`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

const { values } = parseArgs({
  options: { trick: { type: "string" }, work: { type: "string" }, without: { type: "boolean" } },
});
if (values.work === undefined) compare();
else {
  const trick = TRICKS[values.trick];
  loadModule(trick, values.without === true);
  process.stdout.write(String(await trick.works[values.work]()));
}
