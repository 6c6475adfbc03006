import type { RateLimit } from "../../schemas/config/config-file.ts";

/** Counts what each client asks for. */
export interface RateLimiter {
  /** Takes one run of the client's allowance: 0 where there was one left, else the seconds until there is. */
  take(client: string): number | Promise<number>;
}

/** What a client has left: it fills up again all the time, to what it may use up at once. */
interface Bucket {
  tokens: number;
  at: number;
}

/** Above this, clients that have their whole allowance are forgotten, each time that there are twice as many as were kept. */
const MANY_CLIENTS = 1000;

/**
 * Makes a token bucket for each client.
 *
 * @param now milliseconds, from any fixed point
 */
export function makeRateLimiter(
  limit: RateLimit | undefined,
  now: () => number = performance.now.bind(performance),
): RateLimiter {
  if (limit === undefined) return { take: () => 0 };
  const { runsPerMinute } = limit;
  const perMs = runsPerMinute / 60_000;
  const buckets = new Map<string, Bucket>();
  let many = MANY_CLIENTS;

  const fill = ({ tokens, at }: Bucket): number => Math.min(runsPerMinute, tokens + (now() - at) * perMs);
  const forgetFull = (): void => {
    for (const [client, bucket] of buckets) if (fill(bucket) >= runsPerMinute) buckets.delete(client);
    many = Math.max(MANY_CLIENTS, 2 * buckets.size);
  };
  return {
    take(client) {
      if (buckets.size > many) forgetFull();
      const tokens = fill(buckets.get(client) ?? { tokens: runsPerMinute, at: now() });
      const isLeft = tokens >= 1;
      buckets.set(client, { tokens: isLeft ? tokens - 1 : tokens, at: now() });
      return isLeft ? 0 : Math.ceil((1 - tokens) / perMs / 1000);
    },
  };
}
