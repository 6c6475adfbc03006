import { expect, test } from "vitest";
import { makeCallsInFlight } from "../../serve/agent/calls-in-flight.ts";
import { UNKNOWN_CLIENT } from "../../serve/client-traits.ts";
import { watchToolList } from "../../serve/agent/tool-list-watch.ts";
import type { Surface } from "../../serve/surface.ts";

test("nothing is listened to for a client that has seen no list: its server may never be closed", async () => {
  const calls = makeCallsInFlight();
  let listeners = 0;
  const counted = {
    ...calls,
    onEnded(listener: () => void) {
      listeners += 1;
      const end = calls.onEnded(listener);
      return () => {
        listeners -= 1;
        end();
      };
    },
  };
  const watch = watchToolList(new Promise<Surface>(() => {}), counted, () => undefined);
  expect(listeners).toBe(0);
  watch.saw([], UNKNOWN_CLIENT);
  watch.saw([], UNKNOWN_CLIENT);
  expect(listeners).toBe(1);
  watch.end();
  expect(listeners).toBe(0);
});
