import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type DiagnosticCode, type RunAnswer, DIAGNOSTIC_CODES } from "../../schemas/run/answer.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { connectLegacy, connectModern } from "../serve/http/start-http.ts";

/** What becomes of the jobs of all clients. */
export interface Tally {
  /** By the phase in which they began. */
  begun: Map<string, number>;
  /** Requests that failed before any was sent again, by the phase in which they did. */
  failed: Map<string, string[]>;
  /** Jobs that failed although they were sent again. */
  given: string[];
  /** Keys of the jobs that have their answer. */
  answered: string[];
  /** Keys of the jobs that are said to be lost. */
  lost: string[];
  wrong: string[];
  /** The longest time in which a client heard nothing, in milliseconds. */
  silenceMs: number;
  latencies: number[];
}

export interface ClientOptions {
  url: URL;
  tally: Tally;
  phase(): string;
  isOver(): boolean;
  thinkMs: number;
}

/** A client that hears nothing for so long takes its request for lost. */
const TIMEOUT_MS = 4500;
const MOST_TRIES = 20;
const PAUSE_MS = 250;
/** In which all clients connect. */
export const CONNECT_MS = 8000;

export function makeTally(): Tally {
  return {
    ...{ begun: new Map(), failed: new Map(), given: [], answered: [], lost: [], wrong: [] },
    ...{ silenceMs: 0, latencies: [] },
  };
}

/** Runs scripts one after the other until the test is over: every second one was seen before, and one in twenty takes 2 seconds. */
export async function keepRunning(index: number, options: ClientOptions): Promise<void> {
  const { url, tally, phase, isOver, thinkMs } = options;
  const fail = (error: unknown): string => {
    const text = String((error as Error).cause ?? error);
    tally.failed.set(phase(), [...(tally.failed.get(phase()) ?? []), text]);
    return text;
  };
  // sleeps: clients come one after another
  await delay(Math.random() * CONNECT_MS);
  const connecting = async (tries = 1): Promise<Call> => {
    try {
      return await connect(url, index % 2 === 0);
    } catch (error) {
      fail(error);
      if (tries === MOST_TRIES) throw error;
      // sleeps: as a client that tries again
      await delay(PAUSE_MS);
      return connecting(tries + 1);
    }
  };
  const call = await connecting();
  /** One request, in which the server has to say something again and again. */
  const ask = async (input: JsonObject): Promise<Answer> => {
    let heardAt = performance.now();
    const hear = (): void => {
      tally.silenceMs = Math.max(tally.silenceMs, performance.now() - heardAt);
      heardAt = performance.now();
    };
    try {
      return await call(input, { timeout: TIMEOUT_MS, resetTimeoutOnProgress: true, onprogress: hear });
    } finally {
      hear();
    }
  };
  /** A run that takes long is waited for by its id, at any replica. */
  const run = async (input: JsonObject): Promise<Answer> => {
    let answer = await ask(input);
    while (codeOf(answer) === "RUN_CONTINUES") answer = await ask({ runId: answer.runId ?? "" });
    return answer;
  };
  await delay(Math.random() * thinkMs);
  for (let job = 1; !isOver(); job += 1) {
    const [nonce, key] = [`${index}-${job}`, randomUUID()];
    const code = SCRIPT.replace("NONCE", job % 2 === 0 ? "input.nonce" : JSON.stringify(nonce));
    const input = { code, key, input: { nonce, waitMs: Math.random() < 0.05 ? 2000 : 0 } };
    count(tally.begun, phase());
    const begunAt = performance.now();
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await run(input);
        const problem = codeOf(answer);
        if (problem !== undefined && DIAGNOSTIC_CODES[problem] === "retry")
          throw new Error(JSON.stringify(answer.diagnostics));
        tally.latencies.push(performance.now() - begunAt);
        if (problem === "RUN_LOST") tally.lost.push(key);
        else if (JSON.stringify(answer.result) === JSON.stringify({ nonce, key })) tally.answered.push(key);
        else tally.wrong.push(`${nonce}: ${JSON.stringify(answer)}`);
        break;
      } catch (error) {
        const text = tries === 1 ? fail(error) : String(error);
        if (tries === MOST_TRIES) {
          tally.given.push(text);
          break;
        }
        // sleeps: as a client that asks again
        await delay(PAUSE_MS);
      }
    }
    await delay(Math.random() * 2 * thinkMs);
  }
}

type Answer = RunAnswer & { runId?: string };
type Call = (input: JsonObject, settings: object) => Promise<Answer>;

/** The run tool as a client of either era calls it. */
async function connect(url: URL, isLegacy: boolean): Promise<Call> {
  const toCall = (input: JsonObject) => ({ name: "codemode.run", arguments: input });
  const toAnswer = (result: object): Answer => (result as { structuredContent: Answer }).structuredContent;
  if (isLegacy) {
    const client = await connectLegacy(url);
    return async (input, settings) => toAnswer(await client.callTool(toCall(input), undefined, settings));
  }
  const client = await connectModern(url);
  return async (input, settings) => toAnswer(await client.callTool(toCall(input), settings));
}

const SCRIPT = `import { meta } from "@codemode/servers/meta";
const input = globalThis.__codemode_input__;
await meta({ waitMs: input.waitMs });
export default { nonce: NONCE, key: globalThis.__codemode_run__.key };
`;

function codeOf({ diagnostics }: RunAnswer): DiagnosticCode | undefined {
  return diagnostics[0]?.code;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
