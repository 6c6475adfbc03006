import { expect, test } from "vitest";
import { beginLate } from "../../../extras/durable/late-run.ts";
import { storeUnreachable } from "../../../schemas/config/serve-errors.ts";
import { aRun } from "./a-run.ts";
import { fire } from "./all-stores.ts";

test("a run that could not enter goes on, and what must not be lost fails", async () => {
  let tries = 0;
  const away = storeUnreachable("the store", { code: "ECONNREFUSED" });
  const create = async (): Promise<never> => {
    tries += 1;
    throw away;
  };
  const late = beginLate({ create }, aRun());
  await late.append([fire(1)]);
  const steps = [late.append([fire(2)], true), late.append([fire(3)]), late.append([fire(4)], true)];
  expect(await Promise.allSettled(steps)).toMatchObject([{ reason: away }, { status: "fulfilled" }, { reason: away }]);
  await expect(late.enter()).rejects.toBe(away);
  expect([late.isKept(), late.steps, tries]).toEqual([false, [fire(1), fire(3)], 1]);
});
