import { measureClients } from "./cases/clients.js";
import { measureCold } from "./cases/cold.js";
import { measureGeneration } from "./cases/generation.js";
import { measureGrowth } from "./cases/growth.js";
import { measureHot } from "./cases/hot.js";
import { measureLock } from "./cases/lock.js";
import { measureMemory } from "./cases/memory.js";
import { measureObserve } from "./cases/observe.js";
import { measureOwn } from "./cases/own.js";
import { measurePayload } from "./cases/payload.js";
import { measureSearch } from "./cases/search.js";
import { measureStart } from "./cases/start.js";
import { measureThroughput } from "./cases/throughput.js";
import { measureWarm } from "./cases/warm.js";

/** Everything that is measured, in the order of the results, with the minutes that it takes on a quiet machine with two cores. */
export const CASES = [
  { name: "start", title: "From nothing", minutes: 1.5, measure: measureStart },
  { name: "cold", title: "First runs and calls of a process", minutes: 0.5, measure: measureCold },
  { name: "warm", title: "Warm runs, after pauses", minutes: 3.5, measure: measureWarm },
  { name: "hot", title: "Hot runs, without pauses", minutes: 2, measure: measureHot },
  { name: "throughput", title: "Sandboxes", minutes: 3.8, measure: measureThroughput },
  { name: "own", title: "Functions of the program", minutes: 0.7, measure: measureOwn },
  { name: "payload", title: "Large results", minutes: 1.5, measure: measurePayload },
  { name: "observe", title: "Observing results", minutes: 1, measure: measureObserve },
  { name: "memory", title: "Memory", minutes: 0.7, measure: measureMemory },
  { name: "clients", title: "Many clients", minutes: 2.3, measure: measureClients },
  { name: "lock", title: "Locking", minutes: 0.5, measure: measureLock },
  { name: "generation", title: "Generating", minutes: 1, measure: measureGeneration },
  { name: "search", title: "Searching", minutes: 0.2, measure: measureSearch },
  { name: "growth", title: "Growth", minutes: 3, measure: measureGrowth },
];
