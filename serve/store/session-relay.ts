import { createHash } from "node:crypto";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { OpenedStore } from "./open-store.ts";
import { digestSession } from "./run-records.ts";

/** Hands messages of the sessions of one client to the replica that waits for them: a client's messages go to any. */
export interface SessionRelay {
  /** Calls back with the message of that name, once it is there; returns how to stop waiting. */
  expect(session: string, name: string, take: Take): () => void;
  /** A message with content is for the holders of the key alone: without a key it is not sent. */
  send(session: string, name: string, content?: JsonObject): void;
}

type Take = (content: JsonObject | undefined) => void;

const LOOK_EVERY_MS = 400;
const KEPT_MS = 60_000;
/** Of a message that its name says all of. */
const EMPTY = Buffer.from("-");

export function makeSessionRelay(
  { store, sealer }: OpenedStore,
  client: string,
  onFailure: (error: unknown) => void,
): SessionRelay {
  const waiting = new Map<string, Take>();
  let timer: NodeJS.Timeout | undefined;
  const place = (session: string, name: string): string => {
    const digest = createHash("sha256").update(name).digest("base64url");
    return `message/${encodeURIComponent(client)}/${digestSession(session)}/${digest}`;
  };
  const look = async (): Promise<void> => {
    for (const [name, take] of waiting) {
      const value = await store.take(name);
      const text = value === undefined || value.equals(EMPTY) ? value : sealer?.open(name, value);
      if (text === undefined || waiting.get(name) !== take) continue;
      waiting.delete(name);
      take(text.equals(EMPTY) ? undefined : (JSON.parse(text.toString()) as JsonObject));
    }
  };
  const keepLooking = (): void => {
    timer ??= setTimeout(() => {
      void look()
        .catch(onFailure)
        .finally(() => {
          timer = undefined;
          if (waiting.size > 0) keepLooking();
        });
    }, LOOK_EVERY_MS).unref();
  };
  return {
    expect(session, name, take) {
      const key = place(session, name);
      waiting.set(key, take);
      keepLooking();
      return () => void (waiting.get(key) === take && waiting.delete(key));
    },
    send(session, name, content) {
      const key = place(session, name);
      const value = content === undefined ? EMPTY : sealer?.seal(key, Buffer.from(JSON.stringify(content)));
      if (value !== undefined) store.put(key, value, KEPT_MS).catch(onFailure);
    },
  };
}
