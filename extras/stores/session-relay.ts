import { createHash } from "node:crypto";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { SessionRelay } from "../../serve/store/shared-state.ts";
import { makeLooking } from "./mail.ts";
import type { Joined } from "./replica.ts";
import { digestSession } from "./run-records.ts";

type Take = Parameters<SessionRelay["expect"]>[2];

const KEPT_MS = 60_000;
/** A client can send as many messages as it likes, and each would be kept for a minute: what is beyond these is dropped. */
const MOST_AT_ONCE = 1000;
const MOST_BYTES = 1024 * 1024;
/** Of a message that its name says all of. */
const EMPTY = Buffer.from("-");

export function makeSessionRelay(
  { store, sealer, onFailure }: Pick<Joined, "store" | "sealer" | "onFailure">,
  client: string,
): SessionRelay {
  const waiting = new Map<string, Take>();
  let sending = 0;
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
  const keepLooking = makeLooking(look, () => waiting.size > 0, onFailure);
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
      if (value === undefined || value.length > MOST_BYTES || sending >= MOST_AT_ONCE) return;
      sending += 1;
      void store
        .put(key, value, KEPT_MS)
        .catch(onFailure)
        .finally(() => (sending -= 1));
    },
  };
}
