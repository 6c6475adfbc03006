import type { StoresExtra } from "../../serve/store/shared-state.ts";
import { joinStore } from "./join-store.ts";
import { openStore } from "./postgres-store.ts";
import { planStore } from "../../engine/store-plan.ts";

export const extra: StoresExtra = {
  planStore(config) {
    const plan = planStore(config);
    return plan && (async (reports) => joinStore(await openStore(plan), reports));
  },
};
