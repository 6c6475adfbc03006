import type { Server } from "@modelcontextprotocol/server";
import { type Access, visibleLockfile } from "../schemas/access/access.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { type AskingRuns, type DurableExtra, type DurableRuns, findExtra } from "../engine/extras.ts";
import { makeCallsInFlight } from "./agent/calls-in-flight.ts";
import { readApprovalKey } from "../engine/approval-secret.ts";
import { makeOperatorQuestions } from "./approvals/questions.ts";
import { watchToolList } from "./agent/tool-list-watch.ts";
import { makeAgentServer } from "./agent-server.ts";
import { UNKNOWN_CLIENT } from "./client-traits.ts";
import { makeAdmission } from "./admission/admission.ts";
import { makeLongRuns } from "./long-runs/long-runs.ts";
import type { LongRuns } from "./long-runs/runs.ts";
import type { ServedProject } from "./client-presentation.ts";
import type { Presentation } from "./present.ts";
import { printInstructions } from "./print-instructions.ts";

/** MCP for all clients of a process, over any transport. */
export type AgentService = ReturnType<typeof makeAgentService>;

export interface AgentServiceOptions extends ServedProject {
  heartbeatMs?: number | undefined;
  /** The folder of the configuration, if the person who runs this process is asked for approvals (`codemode approvals`). */
  project?: string | undefined;
  /** Whether the operator answers through this process too: see `openApprovals`. */
  isAnsweredHere?: boolean | undefined;
  /** Those of the client that started this process, whose shell may not answer. */
  clientProcesses?: readonly number[] | undefined;
}

export function makeAgentService(options: AgentServiceOptions) {
  const { config, shared, events, onFailure, heartbeatMs } = options;
  const { serve: settings, limits } = config;
  const calls = makeCallsInFlight();
  const asking = openAsking(options);
  const admission = makeAdmission(settings, shared?.limiter(settings.rateLimit));
  const store = shared && (() => ({ skewMs: shared.skewMs() }));
  events?.emit({ type: "state-offered", state: { queue: admission.state, store } });
  const presentations = new Map<Access, Promise<Presentation>>();
  const presentationOf = (access: Access): Promise<Presentation> => {
    const known =
      presentations.get(access) ??
      import("./client-presentation.ts").then(({ presentTo }) => presentTo(access, admission, options));
    presentations.set(access, known);
    return known;
  };
  const durable = options.engine.then((parts) => parts.durable);
  durable.catch(() => undefined); // every request says so
  const runs = new Map<Access, LongRuns>();
  const runsOf = (access: Access): LongRuns => {
    const { detachAfterMs } = settings;
    const { client, mayApprove } = access;
    const inLog = settings.durable === true ? durable : undefined;
    const known = runs.get(access) ?? makeLongRuns({ client, mayApprove, detachAfterMs, calls, durable: inLog });
    runs.set(access, known);
    return known;
  };
  const instructions = new Map<Access, Promise<string>>();
  /** Kept where they follow from what was read once: in the revision 2026-07-28 each request has a server of its own. */
  const instructionsOf = (access: Access): Promise<string> => {
    const print = (locked?: Lockfile): string => printInstructions(limits, settings, locked);
    const known = instructions.get(access) ?? lockedFor(access, options).then(print, () => print());
    if (options.locked !== undefined) instructions.set(access, known);
    return known;
  };
  return {
    /** The server of one connection of a client. */
    async makeServer(access: Access): Promise<Server> {
      const presentation = presentationOf(access);
      presentation.catch(() => undefined); // every request says so
      return makeAgentServer({
        instructions: await instructionsOf(access),
        ...{ presentation, calls, asking: asking?.get, onFailure, events, heartbeatMs },
        runs: runsOf(access),
        isDurable: settings.durable === true,
        clientName: access.client,
      });
    },
    /** The approvals that runs wait for, with `isAnsweredHere`. */
    openApprovals: makeOperatorQuestions(async () => asking?.opened(), durable),
    /** As `watchDurable`. */
    watchDurable: (accessOf: (client: string | undefined) => Access | undefined) =>
      watchDurable(durable, accessOf, onFailure),
    /** Calls back when the tools of a client have changed; returns how to stop. Servers tell their own clients by themselves. */
    watchTools(access: Access, onChange: () => void): () => void {
      const surface = presentationOf(access).then((presentation) => presentation.surface);
      const watch = watchToolList(surface, calls, onChange);
      const list = async (): Promise<void> =>
        watch.saw(await (await surface).listTools(UNKNOWN_CLIENT), UNKNOWN_CLIENT);
      void list().catch(() => undefined);
      return watch.end;
    },
    /** Tells clients whose tools have changed although none of them has called anything. */
    announceTools: calls.callBack,
    /** Waits until what runs has ended, but no longer than this. Where other replicas answer for it, requests wait half of that time. */
    async finish(withinMs: number): Promise<void> {
      if (shared === undefined) return;
      await calls.settled(withinMs / 2);
      for (const ofClient of runs.values()) ofClient.letGo();
      await calls.settled(withinMs / 2);
    },
    /** Cancels what runs, and waits until it is answered, but no longer than this. */
    async stop(withinMs: number): Promise<void> {
      await calls.stop(withinMs);
      await (await asking?.opened())?.close();
    },
  };
}

/**
 * Goes on with the durable runs that no process has, each with the rights of its client. Their questions wait for `codemode approvals`.
 * @returns ends it
 */
async function watchDurable(
  durable: Promise<DurableRuns | undefined>,
  accessOf: (client: string | undefined) => Access | undefined,
  onFailure: (error: unknown) => void,
): Promise<() => void> {
  const ending = new AbortController();
  const asking = { approve: unavailable, askOperator: unavailable, signal: ending.signal };
  const requestOf = (client: string | undefined) => {
    const access = accessOf(client);
    return access && { access, ...asking };
  };
  const stop = (await durable)?.watch(requestOf, onFailure, false);
  return () => {
    stop?.();
    ending.abort();
  };
}

/** Questions are answered where they are: in the log. */
const unavailable = async () => "unavailable" as const;

/** What runs ask with outside of their client, opened when the first one asks. A run that waits for a terminal has to let its request go. */
function openAsking({ project, config, clientProcesses, isAnsweredHere = false, onFailure }: AgentServiceOptions) {
  if (project === undefined || config.serve.detachAfterMs === 0) return undefined;
  // Read once: a key that is written while this process serves may be the agent's.
  const key = readApprovalKey();
  let opening: Promise<AskingRuns | undefined> | undefined;
  const open = async (): Promise<AskingRuns | undefined> => {
    const extra = await findExtra<DurableExtra>("durable");
    return extra?.openAskingRuns(config, { key, isAnsweredHere, clientProcesses, onFailure });
  };
  const note = (error: unknown): undefined => {
    onFailure(error);
  };
  return { get: () => (opening ??= open().catch(note)), opened: () => opening };
}

/** What the client may see of the lockfile, where there is one yet. */
async function lockedFor(access: Access, { locked, engine }: AgentServiceOptions): Promise<Lockfile | undefined> {
  if (locked === undefined) return (await engine).host.visibleLockfile(access);
  const found = await locked;
  return found && visibleLockfile(found, access);
}
