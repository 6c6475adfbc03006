import { expect, test } from "vitest";
import { whileAway } from "../../engine/while-away.ts";
import { storeUnreachable } from "../../schemas/config/serve-errors.ts";
import { noteCause } from "../../schemas/passing-error.ts";

/** Asks again and again, of which each time fails with what is shown for the cause; gives the pauses. */
async function pausesAfter(cause: unknown): Promise<number[]> {
  const pauses: number[] = [];
  const shown = noteCause(new Error("shown"), cause);
  const failing = whileAway(
    async () => {
      throw shown;
    },
    { wait: async (milliseconds) => void pauses.push(milliseconds) },
  );
  await expect(failing).rejects.toBe(shown);
  return pauses;
}

const SOME_TIMES = [250, 500, 1000, 2000, 4000, ...Array<number>(10).fill(5000)];

test.each<[object, boolean]>([
  [{ code: "57P01" }, true],
  [{ code: "57P02" }, true],
  [{ code: "57P03" }, true],
  [{ code: "08006" }, true],
  [{ code: "ECONNREFUSED" }, true],
  [{ code: "ECONNRESET" }, true],
  [{ code: "EPIPE" }, true],
  [{ code: "ETIMEDOUT" }, true],
  [{ message: "Connection terminated unexpectedly" }, true],
  [{ message: "timeout exceeded when trying to connect" }, true],
  [{ errors: [{ code: "ENOTFOUND" }, { code: "ECONNREFUSED" }] }, true],
  [{ errors: [{ code: "ENOTFOUND" }] }, false],
  [{ code: "28P01" }, false],
  [{ code: "42P01" }, false],
  [{ code: "57P04" }, false],
  [{ code: "57P01x" }, false],
  [{ code: "x08006" }, false],
  [{ code: "53300" }, true],
  [{ code: "40001" }, true],
  [{ code: "40P01" }, true],
  [{ code: "25006" }, true],
  [{ code: "57P05" }, true],
  [{ code: "EAI_AGAIN" }, true],
  [{ code: "EHOSTUNREACH" }, true],
  [{ message: "Query read timeout" }, true],
  [{ code: "ENOTFOUND" }, false],
  [{ code: "42501" }, false],
  [{ code: "23505" }, false],
  [{ code: "53100", message: "Connection terminated" }, false],
  [{ message: "the query has failed" }, false],
  [{ message: "no Connection terminated" }, false],
  [{ message: "a timeout exceeded when trying to connect" }, false],
  [{ message: "timeout exceeded when trying to connect again" }, false],
  [{}, false],
])("after %j a query is asked again for a minute: %s", async (cause, isAsked) => {
  expect(await pausesAfter(cause)).toEqual(isAsked ? SOME_TIMES : []);
});

test("what comes of a later try counts, and each knows how many there were before", async () => {
  const tries: number[] = [];
  const value = await whileAway(
    async (earlier) => {
      tries.push(earlier);
      if (earlier < 2) throw noteCause(new Error("away"), { code: "57P03" });
      return "here";
    },
    { wait: async () => undefined },
  );
  expect([value, tries]).toEqual(["here", [0, 1, 2]]);
});

test("a store is away or refuses as its cause says, and who has given up waits no more", async () => {
  const fail = (code: string) => async () => {
    throw storeUnreachable("postgres://host/name", { code });
  };
  let waits = 0;
  const wait = async (): Promise<void> => void (waits += 1);
  await expect(whileAway(fail("42P01"), { wait })).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  expect(waits).toBe(0);
  await expect(whileAway(fail("57P03"), { wait, goesOn: () => waits < 3 })).rejects.toMatchObject({
    code: "STORE_UNREACHABLE",
  });
  expect(waits).toBe(3);
});
