import { setTimeout as delay } from "node:timers/promises";
import { storeUnreachable } from "../../schemas/config/serve-errors.ts";
import { asPackageMissing } from "../../schemas/known-errors.ts";
import { MINUTE_MS, type RunStore } from "../../serve/store/run-store.ts";

/** The generic cell rate algorithm: the value is when the bucket is full again. The server's clock counts, in milliseconds. */
const TAKE_ONE = `
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local full = math.max(tonumber(redis.call("GET", KEYS[1]) or "0"), now) + tonumber(ARGV[1])
local excess = full - now - tonumber(ARGV[2])
if excess > 0 then return math.ceil(excess) end
redis.call("SET", KEYS[1], string.format("%.3f", full), "PX", math.ceil(full - now))
return 0`;

/** For the connection to say goodbye. */
const CLOSE_MS = 1000;

/**
 * @param prefix of all names
 * @param commandMs how long the connection may take, and each command on it
 */
export async function openRedisStore(url: string, place: string, prefix: string, commandMs: number): Promise<RunStore> {
  const { Redis } = await import("ioredis").catch((error: unknown) => {
    throw asPackageMissing(error, '"serve.store"', "ioredis");
  });
  const client = new Redis(url, {
    ...{ keyPrefix: prefix, maxRetriesPerRequest: 1, connectTimeout: commandMs, commandTimeout: commandMs },
    // A connection whose other end is gone without a word is made again.
    ...{ socketTimeout: 2 * commandMs, disconnectTimeout: CLOSE_MS },
    // A command that has failed for its caller must not be sent later.
    autoResendUnfulfilledCommands: false,
  });
  // Each command that fails says so.
  client.on("error", () => undefined);
  const ask = async <Value>(command: Promise<Value>): Promise<Value> => {
    try {
      return await command;
    } catch (error) {
      throw storeUnreachable(place, error);
    }
  };
  const store: RunStore = {
    add: async (name, value, ttlMs) => (await ask(client.set(name, value, "PX", ttlMs, "NX"))) === "OK",
    put: async (name, value, ttlMs) => void (await ask(client.set(name, value, "PX", ttlMs))),
    get: async (name) => (await ask(client.getBuffer(name))) ?? undefined,
    take: async (name) => (await ask(client.getdelBuffer(name))) ?? undefined,
    limit: async (name, perMinute) =>
      Number(await ask(client.eval(TAKE_ONE, 1, name, MINUTE_MS / perMinute, MINUTE_MS))),
    async now() {
      const [seconds, microseconds] = await ask(client.time());
      return Number(seconds) * 1000 + Number(microseconds) / 1000;
    },
    async close() {
      await Promise.race([client.quit().catch(() => undefined), delay(CLOSE_MS, undefined, { ref: false })]);
      client.disconnect();
    },
  };
  try {
    await ask(client.ping());
  } catch (error) {
    client.disconnect();
    throw error;
  }
  return store;
}
