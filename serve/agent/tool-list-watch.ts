import { createHash } from "node:crypto";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { ClientTraits } from "../client-traits.ts";
import type { Surface } from "../surface.ts";
import type { CallsInFlight } from "./calls-in-flight.ts";

/** Notices when a client has an outdated list of tools. */
export type ToolListWatch = ReturnType<typeof watchToolList>;

/**
 * Compares the list of tools with what was seen of it, after every call and when a server got its first lock entry: nothing else
 * makes the lockfile follow a server.
 *
 * @param announce sends `notifications/tools/list_changed`
 */
export function watchToolList(surface: Promise<Surface>, calls: CallsInFlight, announce: () => Promise<void> | void) {
  let seen: readonly JsonObject[] | undefined;
  let seenBy: ClientTraits | undefined;
  let digest = "";
  const look = async (): Promise<void> => {
    if (seen === undefined) return;
    const now = await (await surface).listTools(seenBy);
    // The same values nearly always: surfaces make them once for each lockfile.
    if (hasSameItems(now, seen)) return;
    seen = now;
    const before = digest;
    digest = digestOf(now);
    if (digest !== before) await announce();
  };
  let end: (() => void) | undefined;
  let isDue = false;
  /** A look reads the disk, which an answer that is about to be written does not wait for. */
  const lookSoon = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      void look().catch(() => undefined);
    });
  };
  return {
    /** A client with these traits has been sent this list. */
    saw(tools: readonly JsonObject[], client: ClientTraits): void {
      seen = tools;
      seenBy = client;
      digest = digestOf(tools);
      // Not before: some servers are never connected, and so never closed.
      end ??= calls.onEnded(lookSoon);
    },
    end: (): void => end?.(),
  };
}

function hasSameItems(left: readonly JsonObject[], right: readonly JsonObject[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

function digestOf(tools: readonly JsonObject[]): string {
  return createHash("sha256").update(JSON.stringify(tools)).digest("base64");
}
