import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Reader, ReaderHint } from "../../schemas/reader.ts";

/** However short a run may be, a server that has to be started gets this long. */
const MIN_WAIT_MS = 10_000;

/** Something that is found out about one server. */
export interface ServerQuestion<Answer> {
  serverId: string;
  answer: Promise<Answer>;
}

/** What was found out in time, and the servers that were still being waited for. */
export interface ServersInTime<Answer> {
  answers: Answer[];
  late: string[];
}

/** The time for which a run waits for its servers, from now on. */
export interface Deadline {
  /** Settles when all have answered, or the time is over, or the run is cancelled. Rejects with what an answer was rejected with. */
  within<Answer>(questions: readonly ServerQuestion<Answer>[]): Promise<ServersInTime<Answer>>;
}

/** A run that is over waits for no server: it would take longer than its own limit. */
export function makeDeadline(timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  const deadline = performance.now() + Math.max(timeoutMs, MIN_WAIT_MS);
  return {
    async within(questions) {
      const failures: unknown[] = [];
      const late = new Set(questions.map(({ serverId }) => serverId));
      const answers: Awaited<(typeof questions)[number]["answer"]>[] = [];
      const all = questions.map(async ({ serverId, answer }) => {
        try {
          answers.push(await answer);
        } catch (error) {
          failures.push(error);
        } finally {
          late.delete(serverId);
        }
      });
      await settleUntil(Promise.all(all), deadline - performance.now(), signal);
      if (failures.length > 0) throw failures[0];
      return { answers: [...answers], late: [...late] };
    },
  };
}

/** What a run ends with that has waited for its servers for all of its time. */
export function describeLateStart(late: readonly string[], timeoutMs: number, reader: Reader): Diagnostic {
  const names = late.map((serverId) => `"${serverId}"`).join(", ");
  const waited = Math.max(timeoutMs, MIN_WAIT_MS) / 1000;
  return {
    severity: "error",
    code: "SANDBOX_LIMIT",
    message: `The script did not start within timeoutMs (${timeoutMs} ms): it was waiting ${waited} s for the start of ${names}`,
    hint: LATE_START[reader],
    errorClass: "SandboxLimitError",
  };
}

const LATE_START: ReaderHint = {
  person:
    'Find out why the server does not start, or raise "limits.timeoutMs" (--timeout); the server\'s own limit is "timeoutMs" in "mcpServers".',
  agent: "Do without the server, or tell the user that it does not start.",
};

/** What is said of a server that had not listed its tools when the run was over. */
export function describeLateList(serverId: string): Diagnostic {
  return {
    severity: "warning",
    code: "SERVER_UNAVAILABLE",
    message: `The server "${serverId}" was not compared with the lockfile: it had not listed its tools when the run ended.`,
    hint: "Run it again when the server answers.",
    errorClass: "ServerNotFoundError",
  };
}

function settleUntil(settling: Promise<unknown>, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(stop, Math.max(milliseconds, 0));
    function stop(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    void settling.then(stop);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop);
  });
}
