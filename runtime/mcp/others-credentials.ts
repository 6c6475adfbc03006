import type { ServerTarget } from "@codemode/runtime/connections/server-target";
import { makeValueMask } from "../../schemas/secrets/mask-values.ts";
import { SHORTEST } from "../../schemas/secrets/shortest.ts";
import { findCredentials, type OtherMask } from "./mask-credentials.ts";

/** The credentials of servers that run for other clients, or for all of them. */
export interface OthersCredentials {
  /** @param client undefined for a server that clients share */
  learn(client: string | undefined, target: ServerTarget): void;
  /** Masks them for a client. */
  maskFor(client: string | undefined): OtherMask;
}

const SHOWN = "a credential of others";

/** Collects credentials as they come into use. They are masked for all but their own client, should servers mix up their callers. */
export function makeOthersCredentials(): OthersCredentials {
  const known = new Map<string | undefined, Set<string>>();
  const redactors = new Map<string | undefined, (text: string) => string>();
  const valuesFor = (client: string | undefined): string[] => {
    const own = known.get(client) ?? new Set();
    const others = [...known].filter(([owner]) => owner !== client).flatMap(([, values]) => [...values]);
    return [...new Set(others)].filter((value) => !own.has(value));
  };
  return {
    learn(client, target) {
      const values = known.get(client) ?? new Set();
      known.set(client, values);
      for (const value of Object.values(findCredentials(target))) {
        if (value.length < SHORTEST.ofOthers || values.has(value)) continue;
        values.add(value);
        redactors.clear();
      }
    },
    maskFor: (client) => ({
      isInUse: () => known.size > 1,
      redact(text) {
        const redact =
          redactors.get(client) ?? makeValueMask(valuesFor(client).map((value) => [SHOWN, value] as const)).text;
        redactors.set(client, redact);
        return redact(text);
      },
    }),
  };
}
