// A replica: begins the runs that it is given, goes on with those of replicas that are gone, and answers for a person.
import { setTimeout as delay } from "node:timers/promises";
import { openProject } from "codemode";

const { PROJECT, LEDGER, SUSPEND_AFTER_MS } = process.env;
const suspendAfterMs = Number(SUSPEND_AFTER_MS);

/** How long a paused replica may still have a call in its hands: a careful person does not decide before. */
const LOOK_FOR_MS = Number(process.env["LOOK_FOR_MS"] ?? 2000);

async function wasBooked(entry) {
  const query = new URLSearchParams({ entry, lookForMs: String(LOOK_FOR_MS) });
  for (;;) {
    const { times, isLate } = await (await fetch(`${LEDGER}/made?${query}`)).json();
    if (times > 0 || isLate) return times > 0;
    // sleeps: between two looks at another program
    await delay(200);
  }
}

/** What a person says of calls with these names. */
const WORDS = {
  "-drop": () => ({ verdict: "refused", reason: "never" }),
  "-change": (entry) => ({ verdict: "changed", input: { entry: `${entry}d` } }),
  "-all": () => ({ verdict: "granted", forRun: true }),
};

let patience = 0;
async function approve({ tools: [tool], call }) {
  const { entry } = call.input;
  if (call.isInDoubt) {
    const made = `${tool.toolName} ${entry}`;
    process.send({ doubt: made });
    return (await wasBooked(made)) ? { verdict: "answered", result: made } : "granted";
  }
  const [word] = Object.keys(WORDS).filter((ending) => entry.endsWith(ending));
  if (word !== undefined) {
    await delay(Math.random() * (word === "-all" ? 1 : 4) * suspendAfterMs);
    return WORDS[word](entry);
  }
  // Some answers come so late that the sandbox is given back.
  patience += 1;
  await delay(patience % 4 === 0 ? 3 * suspendAfterMs : 20);
  return "granted";
}

const project = await openProject({ cwd: PROJECT });
const engine = await project.openEngine({ approve, frozen: true });
const runs = await engine.durableRuns();
runs.watch({ suspendAfterMs, onFailure: (error) => process.send({ failure: String(error) }) });
process.on("message", async ({ begin }) => {
  if (begin === undefined) {
    await engine.close();
    return process.exit();
  }
  const answer = await engine
    .run(
      { file: "job.json" },
      {
        key: `run-${begin}`,
        input: { run: begin, project: process.env["NAME"] },
        durable: { suspendAfterMs, onBegun: (runId) => process.send?.({ begun: begin, runId }) },
      },
    )
    .catch((error) => ({ result: null, diagnostics: [{ code: error.code, message: String(error) }] }));
  const { result, diagnostics, runId } = answer;
  process.send?.({ run: begin, result, diagnostics, runId });
});
process.on("disconnect", () => process.exit());
process.send({ isReady: true });
