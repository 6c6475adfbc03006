import { storeUnreachable } from "../../schemas/config/serve-errors.ts";
import { packageMissing } from "../../schemas/errors.ts";
import { MINUTE_MS, type RunStore } from "./run-store.ts";

/** The generic cell rate algorithm: the value is when the bucket is full again. The server's clock counts, in milliseconds. */
const TAKE_ONE = `
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local full = math.max(tonumber(redis.call("GET", KEYS[1]) or "0"), now) + tonumber(ARGV[1])
local excess = full - now - tonumber(ARGV[2])
if excess > 0 then return math.ceil(excess) end
redis.call("SET", KEYS[1], string.format("%.3f", full), "PX", math.ceil(full - now))
return 0`;

const CONNECT_MS = 5000;

/** @param prefix of all names */
export async function openRedisStore(url: string, place: string, prefix: string): Promise<RunStore> {
  const { Redis } = await import("ioredis").catch(() => {
    throw packageMissing('"serve.store"', "ioredis");
  });
  const client = new Redis(url, { connectTimeout: CONNECT_MS, maxRetriesPerRequest: 1, keyPrefix: prefix });
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
    async close() {
      await client.quit().catch(() => undefined);
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
