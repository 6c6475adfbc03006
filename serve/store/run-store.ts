/**
 * What replicas share, by name. Each value is there until its time is over. Every function rejects with a `CodemodeError`
 * `STORE_UNREACHABLE` where the store does not answer; none names its credentials.
 */
export interface RunStore {
  /** Writes a value unless there is one of that name: of several callers one gets true. */
  add(name: string, value: Buffer, ttlMs: number): Promise<boolean>;
  put(name: string, value: Buffer, ttlMs: number): Promise<void>;
  get(name: string): Promise<Buffer | undefined>;
  /** Reads and removes a value: of several callers one gets it. */
  take(name: string): Promise<Buffer | undefined>;
  /** Takes one of so many per minute, which may all be used at once: 0 where there was one left, else the milliseconds until there is. */
  limit(name: string, perMinute: number): Promise<number>;
  /** The store's clock, in milliseconds since 1970: those of replicas differ. */
  now(): Promise<number>;
  close(): Promise<void>;
}

/** The window of a limit. */
export const MINUTE_MS = 60_000;

/** How long a command waits for its answer, in milliseconds. */
export const COMMAND_MS = 3000;
