import { createMcpHandler, isLegacyRequest, type Server } from "@modelcontextprotocol/server";
import type { Access } from "../../schemas/access/access.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { SessionRelay } from "../store/shared-state.ts";
import { KEEP_ALIVE_MS } from "./http-listener.ts";
import { LegacySessions, type Send, type SessionLimits } from "./legacy-sessions.ts";

/** What is served to clients. */
export interface HttpService {
  /**
   * A server for one request of the modern era, or for one session of the legacy era. `access` is the same object for all
   * requests of a client, so that what is made from it can be kept.
   */
  makeServer(access: Access): Server | Promise<Server>;
  /** Calls back when the tools of a client have changed; returns how to stop. `makeServer` notifies legacy servers. */
  watchTools?(access: Access, onChange: () => void): () => void;
  /** What hands messages of sessions of a client to other replicas; absent where there are none. */
  relayOf?(access: Access): SessionRelay | undefined;
  /** Lets what runs end; resolves when it has, or the time is up. */
  finish?(withinMs: number): Promise<void>;
  /** Cancels what runs; resolves when it is answered, or the time is up. */
  stop?(graceMs: number): Promise<void>;
}

/** MCP for one client: nothing of it is shared with another one. */
export interface ClientEndpoint {
  /** Answers a request; resolves when its response is sent. */
  answer(request: Request, body: JsonValue | undefined, send: Send): Promise<void>;
  /** Cancels what runs and ends every stream. */
  close(): Promise<void>;
}

/** Serves both eras of the protocol: requests that say all about themselves, and sessions for those that do not. */
export function makeClientEndpoint(
  access: Access,
  service: HttpService,
  limits: SessionLimits,
  onError: (error: unknown) => void,
): ClientEndpoint {
  const makeServer = async (): Promise<Server> => {
    try {
      return await service.makeServer(access);
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  const modern = createMcpHandler(makeServer, { legacy: "reject", keepAliveMs: KEEP_ALIVE_MS });
  const sessions = new LegacySessions({
    ...{ client: access.client, makeServer, ...limits },
    relay: service.relayOf?.(access),
  });
  const stopWatching = service.watchTools?.(access, () => modern.notify.toolsChanged());
  return {
    async answer(request, body, send) {
      const parsed = body === undefined ? {} : { parsedBody: body };
      if (await isLegacyRequest(request, body)) return sessions.answer(request, body, send);
      return send(await modern.fetch(request, parsed));
    },
    async close() {
      stopWatching?.();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}
