import { KEPT_MINUTES, makeResultShelf, type ResultShelf } from "../answers/result-shelf.ts";
import { digestSession } from "./run-records.ts";
import type { OpenWork } from "../http/open-work.ts";
import type { OpenedStore } from "./open-store.ts";

const KEPT_MS = KEPT_MINUTES * 60_000;
/** As for the answers in a store: a longer result is in the memory of its replica alone. */
const MOST_BYTES = 4 * 1024 * 1024;
const NAMED = /@codemode\/results\/([\w-]{22})/g;
const MOST_NAMED = 16;

/** Keeps results of one client in the store too, so that a script finds them on any replica; without a key in memory alone. */
export function makeSharedShelf(
  { store, sealer, writes }: OpenedStore & { writes: OpenWork },
  client: string,
  onFailure: (error: unknown) => void,
): ResultShelf {
  const shelf = makeResultShelf();
  if (sealer === undefined) return { ...shelf, mostShared: 0 };
  const place = (session: string, id: string): string =>
    `result/${encodeURIComponent(client)}/${digestSession(session)}/${id}`;
  const open = new Set<Promise<void>>();
  return {
    ...shelf,
    mostShared: MOST_BYTES,
    keep(session, json, type) {
      const id = shelf.keep(session, json, type);
      if (json.length > MOST_BYTES) return id;
      const name = place(session, id);
      const value = sealer.seal(name, Buffer.concat([Buffer.from(`${JSON.stringify(type)}\n`), json]));
      const writing = writes.track(store.put(name, value, KEPT_MS).catch(onFailure));
      open.add(writing);
      void writing.finally(() => open.delete(writing));
      return id;
    },
    settled: async () => void (await Promise.all(open)),
    async fetch(session, code) {
      const ids = new Set([...code.matchAll(NAMED)].map(([, id = ""]) => id));
      const here = shelf.of(session);
      for (const id of [...ids].slice(0, MOST_NAMED)) {
        if (here.typeOf(id) !== undefined) continue;
        const name = place(session, id);
        const value = await store.get(name).catch(onFailure);
        const text = value && sealer.open(name, value);
        const end = text?.indexOf("\n") ?? -1;
        if (text === undefined || end < 0) continue;
        shelf.restore(id, session, text.subarray(end + 1), JSON.parse(text.toString("utf8", 0, end)) as string);
      }
    },
  };
}
