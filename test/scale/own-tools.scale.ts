import { expect, test } from "vitest";
import { runForUsers } from "../library/run-for-users.ts";

test("none of ten thousand runs of fifty users at once sees the context of another, and the heap holds none afterwards", async () => {
  expect(await runForUsers(10_000)).toEqual({ ended: 10_000, wrong: [], kept: 0 });
});
