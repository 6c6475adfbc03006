import type { JsonObject } from "../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { callOverLink } from "./call-tool.ts";
import type { ServerLog } from "./call-listener.ts";
import { clientCapabilities } from "./client-identity.ts";
import { ConnectionError } from "./connection-error.ts";
import { type ConnectionFailures, makeConnectionFailures } from "./connection-failures.ts";
import { establishLink, type Link, type OpenTransport } from "./establish-link.ts";
import type { LoadAuth } from "./http/connection-auth.ts";
import { listToolsOverLink } from "./list-all-tools.ts";
import { outsideOfRequests } from "./outside-of-requests.ts";
import { parsePrinted } from "./printed-content.ts";
import type { McpClient, OpenStream } from "./mcp-client.ts";
import { listOperations } from "./operations/list-operations.ts";
import { RenewableLink } from "./renewable-link.ts";
import type { CallOptions, ServerConnection } from "./server-connection.ts";
import type { ServerSnapshot } from "../../../schemas/lock/server-snapshot.ts";
import type { ServerTarget } from "./server-target.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { MessageTransport } from "./wire/message-transport.ts";

export type { ServerConnection, ServerTarget };

export interface ConnectionOptions {
  signal?: AbortSignal | undefined;
  /** The longest message that a server may send; 64 MiB unless given. */
  maxMessageBytes?: number | undefined;
  /** Called when the server ends on its own, with the reason. */
  onEnded?: ((ending: ConnectionError) => void) | undefined;
  /** Called when a list of tools, resources or prompts may have changed, as far as the server announces it. */
  onToolsChanged?: (() => void) | undefined;
  /** Called with what the server logs, as far as it is not too much. */
  onLog?: ((message: ServerLog) => void) | undefined;
  /** Reaches a server of this program. */
  openTransport?: OpenTransport | undefined;
  /** Finds the login for a server over HTTP; without it `headers` alone authorize. */
  loadAuth?: LoadAuth | undefined;
  /** Masks in messages of errors what is secret beside the server's own values. */
  maskOthers?: ((text: string) => string) | undefined;
  /** Whether an open connection keeps this process alive; true unless given. See `ProcessHold`. */
  holdsProcess?: boolean | undefined;
}

/** A server that reports progress is at work, also where no one listens. */
const ignoreProgress = (): void => undefined;

/** How long a call may take at most that makes progress all the time. */
const MAX_CALL_MS = 10 * 60_000;

/** Starts or reaches a server and does the handshake. Throws `ConnectionError`; then nothing of the server is left. */
export function connectServer(target: ServerTarget, options: ConnectionOptions = {}): Promise<ServerConnection> {
  return outsideOfRequests(() => connect(target, options));
}

async function connect(target: ServerTarget, options: ConnectionOptions): Promise<ServerConnection> {
  const failures = makeConnectionFailures(target, options.maskOthers);
  const listeners = makeToolListListeners(options.onToolsChanged);
  const { onToolsChanged } = listeners;
  const { maxMessageBytes, loadAuth, openTransport, holdsProcess = true, onLog = () => undefined } = options;
  const settings = { failures, onToolsChanged, onLog, maxMessageBytes, loadAuth, openTransport, listens: holdsProcess };
  const first = await establishLink(target, { ...settings, signal: options.signal });
  const onEnded = (ending: ConnectionError): void => {
    hold?.release();
    options.onEnded?.(ending);
  };
  tellOfEnd(first, onEnded);
  const closing = new AbortController();
  const renew = async (): Promise<Link> => {
    const known = { ...target, era: first.client.handshake.era };
    const link = await establishLink(known, { ...settings, signal: closing.signal });
    tellOfEnd(link, onEnded);
    onToolsChanged(); // the restarted server may have different tools
    return link;
  };
  const renewable = new RenewableLink(first, () => outsideOfRequests(renew));
  const hold = holdsProcess ? undefined : new ProcessHold(() => renewable.current.transport, close);
  const holding = <Result>(request: () => Promise<Result>) => (hold === undefined ? request() : hold.during(request));
  async function close(): Promise<void> {
    hold?.release();
    closing.abort();
    listeners.unwatch();
    await renewable.close();
  }

  return {
    id: target.id,

    get ending() {
      return renewable.current.transport.ending;
    },

    get renewals() {
      return renewable.renewals;
    },

    snapshot: (signal?: AbortSignal): Promise<ServerSnapshot> =>
      outsideOfRequests(() => holding(() => renewable.use((link) => takeSnapshot(link, failures, target, signal)))),

    callTool(name: string, input: JsonObject | undefined, callOptions: CallOptions = {}): Promise<JsonObject> {
      const { leavesText = false, meta, renewals, signal, listener } = callOptions;
      const params: JsonObject = input === undefined ? { name } : { name, arguments: input };
      if (meta !== undefined) params["_meta"] = meta;
      const callSettings = {
        ...{ signal, listener },
        timeoutMs: callOptions.timeoutMs ?? target.timeoutMs,
        maxTotalMs: callOptions.maxTotalMs ?? MAX_CALL_MS,
        onProgress: callOptions.onProgress ?? ignoreProgress,
      };
      const send = (link: Link) => callOverLink(link, failures, params, callSettings);
      const calling = holding(() =>
        renewals === undefined ? renewable.use(send) : renewable.useOnly(renewals, send, failures.sessionLost),
      );
      return leavesText ? calling : calling.then((result) => parseAnswer(result, failures));
    },

    onToolsChanged: (listener: () => void): (() => void) =>
      outsideOfRequests(() => listeners.add(listener, renewable.current.client, target.timeoutMs)),

    close,
  };
}

async function takeSnapshot(
  link: Link,
  failures: ConnectionFailures,
  { timeoutMs, roots = [] }: ServerTarget,
  signal: AbortSignal | undefined,
): Promise<ServerSnapshot> {
  const [{ tools, problems }, { problems: others, ...operations }] = await Promise.all([
    listToolsOverLink(link, failures, timeoutMs, signal),
    listOperations(link, failures, timeoutMs, signal),
  ]);
  const all = [...problems, ...others];
  return {
    ...link.client.handshake,
    clientCapabilities: clientCapabilities(roots),
    tools,
    ...operations,
    ...withoutUndefined({ problems: all.length === 0 ? undefined : all }),
  };
}

/** Those who listen to changes of the tool list. */
function makeToolListListeners(first: (() => void) | undefined) {
  const listeners = new Set<() => void>();
  let stopWatching: AbortController | undefined;

  function onToolsChanged(): void {
    first?.();
    listeners.forEach((listener) => listener());
  }

  /** In the modern era notifications come only to those who ask for them; who does not listen does not ask. */
  function watch({ listen }: McpClient, timeoutMs: number): void {
    if (stopWatching !== undefined || listen === undefined) return;
    stopWatching = new AbortController();
    void watchToolList((signal) => listen(timeoutMs, signal), onToolsChanged, stopWatching.signal);
  }

  function unwatch(): void {
    stopWatching?.abort();
    stopWatching = undefined;
  }

  return {
    onToolsChanged,
    unwatch,
    /** @returns ends the listening */
    add(listener: () => void, client: McpClient, timeoutMs: number): () => void {
      const own = () => listener();
      listeners.add(own);
      watch(client, timeoutMs);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) unwatch();
      };
    },
  };
}

/** The client listens there first. */
function tellOfEnd({ transport }: Link, onEnded: (ending: ConnectionError) => void): void {
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    if (transport.endedByServer && transport.ending !== undefined) onEnded(transport.ending);
  };
}

function parseAnswer(result: JsonObject, failures: ConnectionFailures): JsonObject {
  try {
    return parsePrinted(result);
  } catch {
    throw failures.protocol("an answer that is not JSON");
  }
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 60_000;

/** A stream that lived this long was not refused: the next one is opened without a long wait. */
const PROVEN_AFTER_MS = 5_000;

/** What will not get better by asking again. */
const FINAL_KINDS: ReadonlySet<string> = new Set(["cancelled", "closed", "forbidden", "rpc-error", "unauthorized"]);

/**
 * Keeps a stream of notifications open until the signal ends it. What happened while there was none is not known,
 * so `onGap` is called whenever it is open again.
 */
async function watchToolList(
  openStream: (signal: AbortSignal) => Promise<OpenStream>,
  onGap: () => void,
  signal: AbortSignal,
): Promise<void> {
  let wait = FIRST_DELAY_MS;
  for (let opened = 0; !signal.aborted;) {
    try {
      const stream = await openStream(signal);
      const since = performance.now();
      if ((opened += 1) > 1) onGap();
      if ((await stream.closed) === "local") return;
      if (performance.now() - since > PROVEN_AFTER_MS) wait = FIRST_DELAY_MS;
    } catch (error) {
      if (!(error instanceof ConnectionError) || FINAL_KINDS.has(error.kind)) return;
    }
    await delay(wait, undefined, { signal, ref: false }).catch(() => undefined);
    wait = Math.min(wait * 2, LONGEST_DELAY_MS);
  }
}

/** How long a stream that keeps this process alive stays open without a request. */
const IDLE_MS = 200;

/** The connections that end when this process has nothing more to do, each by its way to close. */
const living = new Set<() => unknown>();

/**
 * Lets this process end by itself although a connection is open: only a request under way holds it. When there is nothing
 * more to do, the connection is closed in its own time.
 */
class ProcessHold {
  readonly #transport: () => MessageTransport;
  readonly #close: () => unknown;
  #underWay = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(transport: () => MessageTransport, close: () => unknown) {
    this.#transport = transport;
    this.#close = close;
    if (living.size === 0) process.on("beforeExit", closeAll);
    living.add(close);
  }

  async during<Result>(request: () => Promise<Result>): Promise<Result> {
    this.#underWay += 1;
    clearTimeout(this.#idleTimer);
    this.#transport().ref?.();
    try {
      return await request();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#rest();
    }
  }

  /** The connection has ended. */
  release(): void {
    clearTimeout(this.#idleTimer);
    if (living.delete(this.#close) && living.size === 0) process.removeListener("beforeExit", closeAll);
  }

  #rest(): void {
    const transport = this.#transport();
    transport.unref?.();
    // The stream of the older transport is a request that is never answered.
    if (transport.kind === "sse") this.#idleTimer = setTimeout(this.#close, IDLE_MS).unref();
  }
}

function closeAll(): void {
  for (const close of living) close();
}
