import { homedir } from "node:os";
import { replacePlaceholders } from "@codemode/runtime/placeholders";
import { loadExtra } from "../../engine/extras.ts";
import type { Config } from "../../schemas/config/config.ts";
import { storeInvalid } from "../../schemas/config/serve-errors.ts";
import { COMMAND_MS, type RunStore } from "./run-store.ts";
import { makeSealer, type Sealer } from "./seal.ts";

/** The store of a configuration, and what encrypts its values; without a key only ids and states are kept. */
export interface OpenedStore {
  store: RunStore;
  sealer: Sealer | undefined;
}

/** A store that was asked for. It holds credentials, so it is not for printing. */
export interface StorePlan {
  url: string;
  kind: "redis" | "postgres";
  /** For messages. */
  place: string;
  sealer: Sealer | undefined;
}

const MIN_LENGTH = 32;
/** One Redis or PostgreSQL may serve other programs too. */
const PREFIX = "codemode:";

type Open = (url: string, place: string, prefix: string, commandMs: number) => Promise<RunStore>;

/** What connects to databases. */
export interface StoresExtra {
  open: Record<StorePlan["kind"], Open>;
}

/** Checks what `serve.store` asks for before anything is started; undefined where it asks for nothing. Throws a `CodemodeError`. */
export function planStore({ serve, folder }: Config, env: NodeJS.ProcessEnv = process.env): StorePlan | undefined {
  const fill = (key: "store" | "storeKey", text: string): string =>
    replacePlaceholders(text, { env, workspaceFolder: folder, userHome: homedir() }, (variable) =>
      storeInvalid(key, `needs the environment variable ${variable}, which is not set`),
    );
  const url = fill("store", serve.store ?? "");
  if (url === "") return undefined;
  const secret = serve.storeKey === undefined ? undefined : fill("storeKey", serve.storeKey);
  if (secret !== undefined && secret.length < MIN_LENGTH)
    throw storeInvalid("storeKey", `has less than ${MIN_LENGTH} characters`);
  const scheme = /^(redis|rediss|postgres|postgresql):\/\//.exec(url)?.[1];
  if (scheme === undefined || !URL.canParse(url)) throw storeInvalid("store", "is no URL of Redis or PostgreSQL");
  const { host, pathname } = new URL(url);
  return {
    url,
    kind: scheme.startsWith("redis") ? "redis" : "postgres",
    place: `${scheme}://${host}${pathname}`,
    sealer: secret === undefined ? undefined : makeSealer(secret),
  };
}

/** Connects to a store, each of whose commands is answered or fails within that time. Rejects with a `CodemodeError` where its package is missing or it does not answer. */
export async function openStore(
  { url, kind, place, sealer }: StorePlan,
  commandMs: number = COMMAND_MS,
): Promise<OpenedStore> {
  const { open } = await loadExtra<StoresExtra>("stores");
  return { store: await open[kind](url, place, PREFIX, commandMs), sealer };
}
