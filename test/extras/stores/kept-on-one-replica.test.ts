import { expect, test } from "vitest";
import { makeResultCache } from "../../../serve/answers/result-cache.ts";
import { makeServedResult } from "../../../serve/answers/served-result.ts";
import { OpenWork } from "../../../serve/http/open-work.ts";
import { makeMemoryStore } from "./name-store.ts";
import { makeSealer } from "../../../engine/store-plan.ts";
import { makeSharedCache } from "../../../extras/stores/join-store.ts";

const LONG = JSON.stringify(["x".repeat(100_000)]);
const TOO_LONG = JSON.stringify(["x".repeat(5 * 1024 * 1024)]);
const sealer = makeSealer("k".repeat(32));
const sharedCache = () =>
  makeSharedCache({ store: makeMemoryStore(), sealer, writes: new OpenWork(), onFailure: () => undefined }, "");

test.each([
  ["one process", makeResultCache(), TOO_LONG, true],
  ["replicas", sharedCache(), LONG, true],
  ["replicas, and more than the store takes", sharedCache(), TOO_LONG, false],
])("a long result of %s is promised to the next script as far as it finds it", (_, cache, json, isFound) => {
  const served = makeServedResult(cache, "", 1000, false);
  served.read(json);
  const [finding] = served.findings();
  expect(finding?.hint?.startsWith("Do not run the script again")).toBe(isFound);
  expect(finding?.message.includes("in the one process that ran the script")).toBe(!isFound);
  expect(finding?.hint).toContain("@codemode/results/");
});
