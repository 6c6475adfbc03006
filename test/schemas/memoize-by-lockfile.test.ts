import { expect, test } from "vitest";
import { memoizeByLockfile } from "../../schemas/lock/memoize-by-lockfile.ts";

test("something is made once for each lockfile, also where nothing comes of it", () => {
  let made = 0;
  const make = memoizeByLockfile(() => {
    made += 1;
    return undefined;
  });
  const [one, two] = [{ servers: new Map() }, { servers: new Map() }];
  for (const lockfile of [one, one, two, one]) make(lockfile);
  expect(made).toBe(2);
});
