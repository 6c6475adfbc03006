import { measureGeneration } from "./cases/generation.js";
import { measureGrowth } from "./cases/growth.js";
import { measureLock } from "./cases/lock.js";
import { measureMemory } from "./cases/memory.js";
import { measureObserve } from "./cases/observe.js";
import { measurePayload } from "./cases/payload.js";
import { measureSearch } from "./cases/search.js";
import { measureStart } from "./cases/start.js";
import { measureThroughput } from "./cases/throughput.js";
import { measureWarm } from "./cases/warm.js";

/** Everything that is measured, in the order of the results. */
export const CASES = [
  { name: "start", title: "From nothing", measure: measureStart },
  { name: "warm", title: "Warm runs", measure: measureWarm },
  { name: "throughput", title: "Sandboxes", measure: measureThroughput },
  { name: "payload", title: "Large results", measure: measurePayload },
  { name: "observe", title: "Observing results", measure: measureObserve },
  { name: "memory", title: "Memory", measure: measureMemory },
  { name: "lock", title: "Locking", measure: measureLock },
  { name: "generation", title: "Generating", measure: measureGeneration },
  { name: "search", title: "Searching", measure: measureSearch },
  { name: "growth", title: "Growth", measure: measureGrowth },
];
