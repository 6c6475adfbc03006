import { randomBytes } from "node:crypto";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../schemas/json/json.ts";
import { asSdk } from "../agent/as-sdk.ts";
import type { SessionRelay } from "../store/session-relay.ts";

/** The requests of the server to the client of one session, and their answers, which may come to another replica. */
export interface SessionQuestions {
  /** An answer of the client: for the transport, or undefined where it is for another replica, which gets it. */
  receive(answer: JsonObject): JsonObject | undefined;
  /** The session has ended here. */
  end(): void;
}

const NAME_BYTES = 9;
/** As the servers of all replicas make them. */
const NAMED_ID = /^[\w-]{12}\.\d{1,16}$/;

/**
 * The servers of a session on two replicas count their requests alike. So each id gets the name of its server, else a person's answer to
 * one question could pass for the answer to another.
 */
export function watchQuestions(
  session: string,
  transport: Transport,
  relay: SessionRelay | undefined,
): SessionQuestions {
  const name = randomBytes(NAME_BYTES).toString("base64url");
  const expected = new Map<string, () => void>();
  const toOwn = (id: unknown): number => Number(String(id).slice(name.length + 1));
  const named = (id: unknown): string => `${name}.${String(id)}`;
  const send = transport.send.bind(transport);
  const forget = (id: string): void => {
    expected.get(id)?.();
    expected.delete(id);
  };
  const receiveOwn = (answer: JsonObject): JsonObject => {
    const id = String(answer["id"]);
    forget(id);
    return { ...answer, id: toOwn(id) };
  };
  const deliver = (answer: JsonObject | undefined): void => {
    if (answer !== undefined) transport.onmessage?.(asSdk<JSONRPCMessage>(receiveOwn(answer)));
  };
  transport.send = (message, options) => {
    if (!("method" in message)) return send(message, options);
    if ("id" in message) {
      const id = named(message.id);
      if (relay !== undefined) expected.set(id, relay.expect(session, `answer ${id}`, deliver));
      return send({ ...message, id }, options);
    }
    if (message.method !== "notifications/cancelled") return send(message, options);
    const id = named((message.params as { requestId?: unknown } | undefined)?.requestId);
    forget(id);
    return send({ ...message, params: { ...message.params, requestId: id } }, options);
  };
  return {
    receive(answer) {
      const { id } = answer;
      if (typeof id === "string" && id.startsWith(`${name}.`)) return receiveOwn(answer);
      if (typeof id === "string" && NAMED_ID.test(id)) relay?.send(session, `answer ${id}`, answer);
      return undefined;
    },
    end: () => [...expected.keys()].forEach(forget),
  };
}
