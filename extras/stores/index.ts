import type { StoresExtra } from "../../serve/store/open-store.ts";

export const extra: StoresExtra = {
  open: {
    redis: async (...at) => (await import("./redis-store.ts")).openRedisStore(...at),
    postgres: async (...at) => (await import("./postgres-store.ts")).openPostgresStore(...at),
  },
};
