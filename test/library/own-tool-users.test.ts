import { expect, test } from "vitest";
import { runForUsers } from "./run-for-users.ts";

// `npm run test:scale` makes ten thousand.
test("no run of fifty users at once sees the context of another, and the heap holds none afterwards", async () => {
  expect(await runForUsers(150)).toEqual({ ended: 150, wrong: [], kept: 0 });
});
