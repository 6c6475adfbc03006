import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { takeRandomWords } from "../runtime/sandbox/pool/random-words.ts";
import { join } from "node:path";
import { assertSettingTrusted } from "../runtime/mcp/trust/assert-trusted.ts";
import { valuesOf } from "../runtime/mcp/variables.ts";
import { replacePlaceholders } from "@codemode/runtime/placeholders";
import { stateFolder, stateName } from "@codemode/runtime/state-folder";
import type { Config } from "../schemas/config/config.ts";
import { storeInvalid } from "../schemas/config/serve-errors.ts";

/** A store that was asked for. It holds credentials, so it is not for printing. */
export interface StorePlan {
  url: string;
  /** For messages. */
  place: string;
  sealer: Sealer;
  /** Whose values these are: projects that use one database share nothing in it. Unless given, all of its users are one. */
  project?: string | undefined;
}

const MIN_LENGTH = 32;

/**
 * Checks what `serve.store` asks for before anything is started; undefined where it asks for nothing. Throws a `CodemodeError`, also where this
 * account has not trusted the address: a project may name any, and its URL may hold variables.
 */
export function planStore(config: Config, env: NodeJS.ProcessEnv = process.env): StorePlan | undefined {
  const url = fill(config, "store", env) ?? "";
  if (url === "") return undefined;
  assertSettingTrusted(config, "serve.store");
  if (config.serve.durable === false) throw storeInvalid("store", 'keeps durable runs, and "serve.durable" is false');
  const sealer = planSealer(config, env);
  const scheme = /^(postgres|postgresql|rediss?):\/\//.exec(url)?.[1];
  if (scheme?.startsWith("redis") === true) throw storeInvalid("store", "is an address of Redis, which is no store");
  if (scheme === undefined || !URL.canParse(url)) throw storeInvalid("store", "is no URL of PostgreSQL");
  if (sealer === undefined) throw storeInvalid("storeKey", "is needed: a store keeps arguments and results of runs");
  const { host, pathname } = new URL(url);
  return { url, place: `${scheme}://${host}${pathname}`, sealer, project: projectOf(config) };
}

/** Names a project where others use the same database: by its folder, unless the configuration does. */
function projectOf({ serve, folder }: Pick<Config, "serve" | "folder">): string {
  return serve.project ?? stateName(folder);
}

/** Seals for one project: with the same key, another one can open nothing of it. */
export function sealFor(project: string, { seal, open }: Sealer): Sealer {
  const within = (place: string): string => `project/${project}/${place}`;
  return {
    seal: (place, value) => seal(within(place), value),
    open: (place, sealed) => open(within(place), sealed),
  };
}

/** Where the durable runs of this account are, a folder for each project. */
export function runsFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(stateFolder(env), "runs");
}

/** Where the durable runs of a project are that has no store. */
export function durableFolder({ folder }: Config, env: NodeJS.ProcessEnv = process.env): string {
  return join(runsFolder(env), stateName(folder));
}

/** What encrypts by `serve.storeKey`; undefined where there is none. Throws a `CodemodeError`. */
export function planSealer(config: Config, env: NodeJS.ProcessEnv = process.env): Sealer | undefined {
  const secret = fill(config, "storeKey", env);
  if (secret !== undefined && secret.length < MIN_LENGTH)
    throw storeInvalid("storeKey", `has less than ${MIN_LENGTH} characters`);
  return secret === undefined ? undefined : makeSealer(secret);
}

/** The text of a setting, without its placeholders. */
function fill(config: Config, key: "store" | "storeKey", env: NodeJS.ProcessEnv): string | undefined {
  const text = config.serve[key];
  if (text === undefined) return undefined;
  return replacePlaceholders(text, valuesOf(config, env), (variable) =>
    storeInvalid(key, `needs the environment variable ${variable}, which is not set`),
  );
}

/** Texts that are kept as texts: encrypted where there is a key, else as they are. */
export type TextSealer = ReturnType<typeof makeTextSealer>;

export function makeTextSealer(sealer: Sealer | undefined) {
  return {
    isSealed: sealer !== undefined,
    seal: (place: string, text: string): string => sealer?.seal(place, Buffer.from(text)).toString("base64") ?? text,
    /** Undefined where it was changed, moved, or sealed with another key. */
    open: (place: string, kept: string): string | undefined =>
      sealer === undefined ? kept : sealer.open(place, Buffer.from(kept, "base64"))?.toString(),
  };
}

/** Encrypts what is kept in a store. */
export type Sealer = ReturnType<typeof makeSealer>;

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with a key that is derived from the secret; the place is associated data. */
export function makeSealer(secret: string) {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "codemode store 1", 32));
  return {
    /** @param place what the value belongs to: it can be opened at no other one */
    seal(place: string, value: Buffer): Buffer {
      const iv = Buffer.from(Uint32Array.from(takeRandomWords(IV_BYTES / Uint32Array.BYTES_PER_ELEMENT)).buffer);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(value), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]);
    },
    /** Undefined where it was changed, moved, or sealed with another key. */
    open(place: string, sealed: Buffer): Buffer | undefined {
      try {
        const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
