import { setTimeout as delay } from "node:timers/promises";
import { describeCallFailure, describeUnknownTool } from "../call-failure.ts";
import type { DriftMode } from "../connect-options.ts";
import type { CodemodeError } from "../errors.ts";
import type { CalledTool } from "../registered-callers.ts";
import { toCodemodeError, type SentReply } from "../reply.ts";
import { toReply } from "../reply-of-result.ts";
import type { ServerSettings } from "./configuration.ts";
import { ConnectionError } from "../../mcp/client/connection-error.ts";
import { makeRestartDelay } from "../../mcp/client/restart-delay.ts";
import type { ServerConnection } from "../../mcp/client/server-connection.ts";
import { type CurrentList, DriftWatch } from "./drift-watch.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { resolveSettings } from "./resolve-settings.ts";

/** A connection and what was learnt of the server over it. */
interface Session {
  connection: ServerConnection;
  /** Listed once, when a call needs it, and again after a new session or a change that the server announces. */
  list: CurrentList;
}

/** One server: started on the first call, shared by all calls, started again when it has ended. */
export class Server {
  readonly #settings: ServerSettings;
  readonly #drift: DriftWatch;
  readonly #restartDelay = makeRestartDelay();
  #session: Promise<Session> | undefined;

  constructor(settings: ServerSettings, drift: DriftMode) {
    this.#settings = settings;
    this.#drift = new DriftWatch(drift);
  }

  /** Calls a tool. Throws what a binding throws, with the reason as its `cause`. */
  async call(tool: CalledTool, inputJson: string): Promise<SentReply> {
    try {
      return await this.#callOnce(tool, inputJson).catch((error: unknown) => {
        // A server that has forgotten its session has not looked at the call.
        if (error instanceof ConnectionError && error.kind === "session-lost") return this.#callOnce(tool, inputJson);
        throw error;
      });
    } catch (error) {
      throw error instanceof ConnectionError ? toBindingError(error, tool) : error;
    }
  }

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    await session?.connection.close();
  }

  async #callOnce(tool: CalledTool, inputJson: string): Promise<SentReply> {
    const { connection, list } = await this.#connect();
    // No call slips into a session whose list it was not compared with.
    const { renewals } = connection;
    const looking = this.#drift.look(tool, list);
    if (this.#drift.mode === "refuse") await looking;
    const calling = connection.callTool(tool.toolName, JSON.parse(inputJson) as JsonObject, { renewals });
    try {
      // A warning need not come before the call, but before the process ends.
      const [result] = await Promise.all([calling, looking]);
      return toReply(result, tool);
    } catch (error) {
      if ((error as ConnectionError).kind === "rpc-error") await assertToolExists(tool, list);
      throw error;
    }
  }

  /** The first call starts the server; the others wait for that start. */
  async #connect(): Promise<Session> {
    const known = this.#session;
    if (known !== undefined) {
      const session = await known;
      if (session.connection.ending === undefined) return session;
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
    const { id } = this.#settings;
    const target = resolveSettings(this.#settings);
    const pauseMs = this.#restartDelay.next(id);
    if (pauseMs > 0) await delay(pauseMs);
    try {
      const { connectServer } = await import("../../mcp/client/connect-server.ts");
      let session: Session | undefined;
      const connection = await connectServer(target, {
        holdsProcess: false,
        onEnded: () => this.#restartDelay.noteEnd(id),
        onToolsChanged: () => {
          if (session !== undefined) session.list = askOnce(session.connection);
        },
      });
      this.#restartDelay.noteStart(id);
      session = { connection, list: askOnce(connection) };
      return session;
    } catch (error) {
      this.#restartDelay.noteFailure(id);
      throw error;
    }
  }
}

/** The first answer is for all; after a failure the next one asks again. */
function askOnce(connection: ServerConnection): CurrentList {
  let answer: ReturnType<CurrentList["read"]> | undefined;
  return {
    read() {
      answer ??= connection.snapshot().then(
        ({ tools, resources = [], prompts = [] }) =>
          new Map([...tools, ...resources, ...prompts].map((tool) => [tool.name, tool])),
        (error: unknown) => {
          answer = undefined;
          throw error;
        },
      );
      return answer;
    },
  };
}

/** A server's own refusal may mean that it does not have the tool any more, which can be said better. */
async function assertToolExists(tool: CalledTool, list: CurrentList): Promise<void> {
  const tools = await list.read().catch(() => undefined);
  if (tools === undefined || tools.has(tool.toolName)) return;
  const failure = describeUnknownTool(tool, tools.keys(), "Lock the server again: codemode lock.");
  throw toCodemodeError(failure, tool);
}

function toBindingError(failure: ConnectionError, tool: CalledTool): CodemodeError {
  const described = describeCallFailure(failure, tool);
  const isLogin = failure.kind === "unauthorized";
  const error = toCodemodeError(
    isLogin ? { ...described, hint: 'Give a token in "headers" of the server.' } : described,
    tool,
  );
  return Object.assign(error, { cause: failure });
}
