import { describeUnsetVariables } from "../../engine/variables.ts";
import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { type Access, accessOf } from "../../schemas/access/access.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { Command } from "../command.ts";
import { isTermination } from "../interruption.ts";
import { loadLog, logFailure } from "../../engine/load-log.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { findClientProcesses } from "../../serve/approvals/client-processes.ts";
import { type HttpPlan, planHttp } from "../../serve/http/http-plan.ts";
import type { StoresExtra } from "../../serve/store/shared-state.ts";
import type { ServedProject } from "../../serve/client-presentation.ts";
import { type DurableExtra, loadExtra } from "../../engine/extras.ts";
import type { HttpOptions } from "../../serve/http/serve-http.ts";
import { makeRefusedAccess } from "../../serve/http/refused-access.ts";
import { type MetricsPlan, openMetrics, planMetrics } from "../../serve/http/serve-metrics.ts";
import { type OpenHost, openHost } from "../../engine/open-host.ts";
import { withServeOptions } from "./serve-options.ts";
import { warnOfHttp } from "./warn-of-http.ts";

/** `codemode serve`: the MCP server for agents, over standard input and output or over HTTP. */
export const serve: Command = async ({ options, context }) => {
  const { signal, verbose } = context;
  const written = await loadConfig(context);
  const asked = withServeOptions(written.serve, options);
  context.allowToEnd(asked.drainMs + END_MS);
  const address = options.text("http");
  const joinStore = address === undefined ? undefined : await planShared({ ...written, serve: asked });
  // Replicas share their runs.
  const config = { ...written, serve: { ...asked, durable: asked.durable ?? joinStore !== undefined } };
  const plan = address === undefined ? undefined : planHttp(address, config);
  const metricsPlan = plan === undefined ? undefined : planMetrics(config);

  const { makeAgentService } = await import("../../serve/agent-service.ts");
  const log = await loadLog(config, options.text("logLevel"), plan === undefined);
  if (plan !== undefined) await warnOfHttp(plan, config, log.warn);
  describeUnsetVariables(config, process.env).forEach((line) => log.warn(line));
  // Over HTTP the agent's own client would answer, which may be anybody with a token.
  const onUnstartable = plan === undefined ? "ask" : "report";
  const onFailure = (error: unknown): void => logFailure(error, log, verbose);
  // Before anything that would have to be ended where there is no store.
  const shared = await joinStore?.({ warn: log.warn, onFailure });
  const opened = await openHost({
    ...{ config, log, note: log.info, purpose: { kind: "session" }, audience: "agent", onUnstartable },
    ...{ isFrozen: options.has("frozen"), drift: config.drift ?? "review" },
    origin: plan === undefined ? "serve-stdio" : "serve-http",
    onLocked: () => service.announceTools(),
  }).catch(async (error: unknown) => {
    await shared?.close();
    throw error;
  });
  const { events } = opened;
  const engine = opened.ready.then(async ({ host }) => {
    const { makeSavedScripts } = await import("../../engine/saved-scripts.ts");
    const scripts = makeSavedScripts(config, host, log.warn);
    if (!config.serve.durable) return { host, scripts };
    const { openDurableRuns } = await loadExtra<DurableExtra>("durable");
    return { host, scripts, durable: await openDurableRuns(config, host) };
  });
  engine.catch(() => undefined); // `ready` rejects too
  const failure = new AbortController();
  const answered = new AbortController();
  let cause: { error: unknown } | undefined;
  opened.ready.catch(async (error: unknown) => {
    cause = { error };
    // The client that asks for the tools learns why there are none; before that it has to be listened to.
    await delay(ANSWER_MS, undefined, { signal: answered.signal, ref: false }).catch(() => setImmediate());
    failure.abort(error);
  });
  const service = makeAgentService({
    ...{ config, engine, locked: opened.locked, shared, project: config.folder, events },
    clientProcesses: plan === undefined ? findClientProcesses() : undefined,
    isAnsweredHere: plan?.operatorDigest !== undefined,
    // Why the project cannot be served is said when the command ends.
    onFailure: (error) => (error === cause?.error ? answered.abort() : onFailure(error)),
  });
  const watching = config.serve.durable
    ? service.watchDurable((client) => findAccess(client, config, plan === undefined))
    : undefined;
  watching?.catch(() => undefined); // the engine says so
  try {
    if (plan === undefined) {
      const { serveStdio } = await import("../../serve/serve-stdio.ts");
      await serveStdio(service, accessOf({ kind: "stdio" }, config), AbortSignal.any([signal, failure.signal]));
      if (cause !== undefined) throw cause.error;
    } else {
      await opened.ready;
      const drainMs = (): number => (isTermination(signal) ? asked.drainMs : 0);
      const isReady = (): boolean => shared?.isReachable() !== false;
      const http = { ...service, note: log.info, onFailure, drainMs, isReady };
      await serveOverHttp({ plan, metricsPlan }, opened, http, signal);
    }
    return 0;
  } finally {
    if (watching !== undefined) await endDurable(watching, engine);
    await opened.close();
    await shared?.close();
  }
};

/** Serves MCP and metrics until the signal is aborted; requests without a token that is known are reported. */
async function serveOverHttp(
  { plan, metricsPlan }: { plan: HttpPlan; metricsPlan: MetricsPlan | undefined },
  { events, printMetrics }: Pick<OpenHost, "events" | "printMetrics">,
  options: HttpOptions,
  signal: AbortSignal,
): Promise<void> {
  const { serveHttp } = await import("../../serve/http/serve-http.ts");
  const onRefused = makeRefusedAccess((facts) => events?.emit({ type: "access-refused", ...facts }));
  const closeMetrics = await openMetrics(metricsPlan, printMetrics, options.note, onRefused);
  await serveHttp(plan, { ...options, onRefused }, signal).finally(closeMetrics);
}

/** What a client may do, by the name that its runs are kept under. */
function findAccess(name: string | undefined, config: Config, isStdio: boolean): Access | undefined {
  if (name === undefined) return accessOf({ kind: isStdio ? "stdio" : "http" }, config);
  const client = config.serve.clients.find((each) => each.name === name);
  return client && accessOf({ kind: "http", client }, config);
}

/** Leaves durable runs to the next process. */
async function endDurable(watching: Promise<() => void>, engine: ServedProject["engine"]): Promise<void> {
  try {
    (await watching)();
    await (await engine).durable?.close();
  } catch {
    // There is no engine: the command says why.
  }
}

/** What joins the replicas of a configured store, once everything else is known to be right. */
async function planShared(config: Config): Promise<ReturnType<StoresExtra["planStore"]>> {
  return config.serve.store === undefined ? undefined : (await loadExtra<StoresExtra>("stores")).planStore(config);
}

/** What ends after the requests: runs, servers, a store. In milliseconds. */
const END_MS = 20_000;

/** How long a client that has connected to a project which cannot be served gets to ask, in milliseconds. */
const ANSWER_MS = 2000;
