import { setTimeout as delay } from "node:timers/promises";
import { describeCallFailure, describeUnknownTool, hintForMissingClient } from "../call-failure.ts";
import type { DriftMode } from "../connect-options.ts";
import { CodemodeError } from "../errors.ts";
import type { CalledTool } from "../registered-callers.ts";
import { toCodemodeError, type ToolReply } from "../reply.ts";
import { toReply } from "../reply-of-result.ts";
import type { ServerSettings } from "./configuration.ts";
import { type CurrentList, DriftWatch } from "./drift-watch.ts";
import type { JsonObject, Link } from "./link.ts";
import { LinkFailure } from "./link-failure.ts";
import { listTools, type ToolList } from "./list-tools.ts";
import { toTarget } from "./server-target.ts";

/** A link and what was learnt of the server over it. */
interface Session {
  link: Link;
  /** Listed once, when a call needs it, and again after a change that the server announces. */
  list: CurrentList;
}

/** The pauses before the second, third … start in a row that came to nothing; the last one stays. */
const PAUSES_MS = [0, 250, 500, 1_000, 2_000, 5_000];

/** How long a link that keeps the process alive stays open without a call. */
const IDLE_MS = 200;

/** One server: started on the first call, shared by all calls, started again when it has ended. */
export class Server {
  readonly #settings: ServerSettings;
  readonly #drift: DriftWatch;
  #session: Promise<Session> | undefined;
  #callsUnderWay = 0;
  #failedStarts = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(settings: ServerSettings, drift: DriftMode) {
    this.#settings = settings;
    this.#drift = new DriftWatch(drift);
  }

  /** Calls a tool. Throws what a binding throws, with the reason as its `cause`. */
  async call(tool: CalledTool, inputJson: string): Promise<ToolReply> {
    this.#callsUnderWay += 1;
    clearTimeout(this.#idleTimer);
    try {
      return await this.#callOnce(tool, inputJson).catch((error: unknown) => {
        // A server that has forgotten its session has not looked at the call.
        if (error instanceof LinkFailure && error.kind === "session-lost") return this.#callOnce(tool, inputJson);
        throw error;
      });
    } catch (error) {
      throw error instanceof LinkFailure ? toBindingError(error, tool) : error;
    } finally {
      this.#callsUnderWay -= 1;
      if (this.#callsUnderWay === 0) void this.#rest();
    }
  }

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    await session?.link.close();
  }

  async #callOnce(tool: CalledTool, inputJson: string): Promise<ToolReply> {
    const session = await this.#connect();
    const looking = this.#drift.look(tool, session.list);
    if (this.#drift.mode === "refuse") await looking;
    const params = { name: tool.toolName, arguments: JSON.parse(inputJson) as JsonObject };
    const action = `the call of tool "${tool.toolName}"`;
    try {
      // A warning need not come before the call, but before the process ends.
      const [result] = await Promise.all([this.#send(session, params, action), looking]);
      return toReply(result, tool);
    } catch (error) {
      const failure = error as LinkFailure;
      if (failure.kind === "session-lost") this.#forget(session);
      if (failure.kind === "rpc-error") await assertToolExists(tool, session);
      throw error;
    }
  }

  async #send({ link, list }: Session, params: { name: string; arguments: JsonObject }, action: string) {
    const definition = link.usesHeaders ? (await list.read()).get(params.name) : undefined;
    const isAnnotated = JSON.stringify(definition?.["inputSchema"] ?? null).includes('"x-mcp-header"');
    return isAnnotated
      ? link.callWithHeaders(params, definition?.["inputSchema"], action)
      : link.request("tools/call", params, action);
  }

  /** Whoever comes first starts the server; the others wait for that start. */
  async #connect(): Promise<Session> {
    const known = this.#session;
    if (known !== undefined) {
      const session = await known;
      if (session.link.isOpen()) {
        session.link.ref();
        return session;
      }
      if (this.#session === known) this.#session = undefined;
      return this.#connect();
    }
    const starting = this.#start();
    this.#session = starting;
    starting.catch(() => {
      if (this.#session === starting) this.#session = undefined;
    });
    return starting;
  }

  async #start(): Promise<Session> {
    const { name, timeoutMs } = this.#settings;
    const target = toTarget(this.#settings);
    if (this.#failedStarts > 1) await delay(PAUSES_MS[Math.min(this.#failedStarts, PAUSES_MS.length) - 1]);
    try {
      // The SDK takes longer to load than all the rest together.
      const { openLink } = await import("./link.ts");
      const link = await openLink(target, name, timeoutMs);
      this.#failedStarts = 0;
      const session: Session = { link, list: askOnce(link) };
      link.onToolsChanged(() => (session.list = askOnce(link)));
      return session;
    } catch (error) {
      this.#failedStarts += 1;
      throw error;
    }
  }

  #forget(session: Session): void {
    this.#session = undefined;
    void session.link.close();
  }

  /** Nobody waits for the server any more: it must not keep the process alive. */
  async #rest(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    if (session === undefined || this.#callsUnderWay > 0) return;
    session.link.unref();
    if (!session.link.isHolding) return;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => void this.close(), IDLE_MS).unref();
  }
}

/** The first answer is for all; after a failure the next one asks again. */
function askOnce(link: Link): CurrentList {
  let answer: Promise<ToolList> | undefined;
  return {
    read() {
      answer ??= listTools(link).catch((error: unknown) => {
        answer = undefined;
        throw error;
      });
      return answer;
    },
  };
}

/** A server's own refusal may mean that it does not have the tool any more, which can be said better. */
async function assertToolExists(tool: CalledTool, session: Session): Promise<void> {
  const tools = await session.list.read().catch(() => undefined);
  if (tools === undefined || tools.has(tool.toolName)) return;
  const failure = describeUnknownTool(tool, tools.keys(), "Lock the server again: codemode lock.");
  throw toCodemodeError(failure, tool);
}

function toBindingError(failure: LinkFailure, tool: CalledTool): CodemodeError {
  const hint = hintForMissingClient(failure.message) ?? "check the name and the input of what was asked";
  const described = describeCallFailure(
    { kind: failure.kind, message: failure.message, hint, limit: failure.limit },
    tool,
  );
  const isLogin = failure.kind === "unauthorized";
  const error = toCodemodeError(
    isLogin ? { ...described, hint: 'Give a token in "headers" of the server.' } : described,
    tool,
  );
  return Object.assign(error, { cause: failure });
}
