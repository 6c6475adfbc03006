import { createMcpHandler, isLegacyRequest, type Server } from "@modelcontextprotocol/server";
import type { Access } from "../../schemas/access/access.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { AgentService } from "../agent-service.ts";
import { KEEP_ALIVE_MS } from "./http-listener.ts";
import { LegacySessions, type Send, type SessionLimits } from "./legacy-sessions.ts";

/** What is served to clients. `makeServer` notifies servers of the legacy era of changed tools. */
export type HttpService = Partial<Omit<AgentService, "makeServer">> & {
  /**
   * A server for one request of the modern era, or for one session of the legacy era. `access` is the same object for all
   * requests of a client, so that what is made from it can be kept.
   */
  makeServer(access: Access): Server | Promise<Server>;
};

/** MCP for one client: nothing of it is shared with another one. */
export type ClientEndpoint = ReturnType<typeof makeClientEndpoint>;

/** Serves both eras of the protocol: requests that say all about themselves, and sessions for other requests. */
export function makeClientEndpoint(
  access: Access,
  service: HttpService,
  limits: SessionLimits,
  onError: (error: unknown) => void,
) {
  const makeServer = async (): Promise<Server> => {
    try {
      return await service.makeServer(access);
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  const modern = createMcpHandler(makeServer, { legacy: "reject", keepAliveMs: KEEP_ALIVE_MS });
  const sessions = new LegacySessions(access.client, makeServer, limits);
  const stopWatching = service.watchTools?.(access, () => modern.notify.toolsChanged());
  return {
    /** Answers a request; resolves when its response is sent. */
    async answer(request: Request, body: JsonValue | undefined, send: Send): Promise<void> {
      const parsed = body === undefined ? {} : { parsedBody: body };
      if (await isLegacyRequest(request, body)) return sessions.answer(request, body, send);
      return send(await modern.fetch(request, parsed));
    },
    /** Cancels what runs and ends every stream. */
    async close(): Promise<void> {
      stopWatching?.();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}
