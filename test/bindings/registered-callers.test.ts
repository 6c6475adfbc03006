import { expect, test } from "vitest";
import { type PerformTool, findRegistered, registerCaller } from "../../runtime/bindings/registered-callers.ts";

test("the newest caller that serves a server is taken, until it is taken back", () => {
  const [first, second, other] = [1, 2, 3].map((value): PerformTool => async () => ({ ok: true, value }));
  const register = (serverId: string, caller = first as PerformTool) =>
    registerCaller({ serves: (id) => id === serverId, caller });
  const endFirst = register("odd");
  const endSecond = register("odd", second);
  const endOther = register("other", other);
  expect(["odd", "other", "none"].map(findRegistered)).toEqual([second, other, undefined]);
  endSecond();
  expect(["odd", "other"].map(findRegistered)).toEqual([first, other]);
  endFirst();
  endFirst();
  endOther();
  expect(["odd", "other"].map(findRegistered)).toEqual([undefined, undefined]);
});
