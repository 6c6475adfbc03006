import { randomUUID } from "node:crypto";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const IDENTITY = { name: "clients", version: "1" };
const REFUSALS = ["QUEUE_FULL", "RATE_LIMITED"];
/** A client reconnects after this many runs, and cancels every n-th of them. */
const RUNS_PER_CONNECTION = 20;
const RUNS_PER_CANCELLATION = 7;

/** Calls a tool with a nonce that only this run knows, logs it before and after, and returns it. */
const script = (nonce) => `import { repeat } from "@codemode/servers/nonce";
console.log("before ${nonce}");
const repeated = await repeat({ nonce: "${nonce}" });
console.log("after " + repeated);
export default { repeated };`;

/** Runs scripts one after the other until the time is up, and counts in `tally` what came of them. */
export async function driveClient({ url, token, isLegacy, until, tally }) {
  let number = 0;
  while (Date.now() < until) {
    const connection = await connect(url, token, isLegacy);
    for (let runs = 0; runs < RUNS_PER_CONNECTION && Date.now() < until; runs += 1) {
      number += 1;
      const isCancelled = number % RUNS_PER_CANCELLATION === 0;
      const pause = isCancelled ? await cancelOne(connection, tally) : await runOne(connection, tally);
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
    await connection.close();
  }
}

/** Gives the milliseconds after which to try again; 0 where it was not refused. */
async function runOne(connection, tally) {
  const nonce = randomUUID();
  const streamed = [];
  const startedAt = performance.now();
  try {
    const { structuredContent: answer } = await connection.run(script(nonce), {
      onprogress: ({ message }) => streamed.push(message),
    });
    const code = answer.diagnostics[0]?.code;
    if (REFUSALS.includes(code)) return countRefusal(answer, code, tally);
    const expected = {
      logs: [`before ${nonce}`, `after ${nonce}`],
      result: { repeated: nonce },
      diagnostics: [],
    };
    const given = {
      logs: answer.logs.map(({ message }) => message),
      result: answer.result,
      diagnostics: answer.diagnostics,
    };
    const isForeign = streamed.some((line) => /(before|after) /.test(line ?? "") && !line.includes(nonce));
    if (JSON.stringify(given) !== JSON.stringify(expected)) tally.wrong.push({ expected, given });
    else if (isForeign) tally.wrong.push({ nonce, streamed });
    else tally.times.push(performance.now() - startedAt);
  } catch (error) {
    tally.wrong.push({ nonce, error: String(error) });
  }
  return 0;
}

/** A refusal says that nothing was run and when to come again. */
function countRefusal(answer, code, tally) {
  const seconds = /The script did not run\. Try again in (\d+) s\./.exec(answer.diagnostics[0].hint ?? "")?.[1];
  const isClear = seconds !== undefined && answer.result === null && answer.logs.length === 0;
  if (isClear) tally.refused[code] = (tally.refused[code] ?? 0) + 1;
  else tally.wrong.push({ refusal: answer });
  return 250;
}

async function cancelOne(connection, tally) {
  const cancelling = new AbortController();
  const timer = setTimeout(() => cancelling.abort(), Math.random() * 300);
  try {
    await connection.run(script("cancelled"), { signal: cancelling.signal });
    tally.tooLate += 1;
  } catch (error) {
    if (cancelling.signal.aborted) tally.cancelled += 1;
    else tally.wrong.push({ error: String(error) });
  } finally {
    clearTimeout(timer);
  }
  return 0;
}

async function connect(url, token, isLegacy) {
  const init = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  const toCall = (code) => ({ name: "codemode.run", arguments: { code } });
  if (isLegacy) {
    const client = new LegacyClient(IDENTITY);
    await client.connect(new LegacyTransport(url, init));
    return { run: (code, options) => client.callTool(toCall(code), undefined, options), close: () => client.close() };
  }
  const client = new ModernClient(IDENTITY, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new ModernTransport(url, init));
  return { run: (code, options) => client.callTool(toCall(code), options), close: () => client.close() };
}
