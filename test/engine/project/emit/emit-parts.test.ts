import { expect, test } from "vitest";
import { type EmissionJob, emitPart } from "../../../../engine/project/emit/emit-changed.ts";
import { lockedServer } from "../../../templates/lockfile-of.ts";

// Threads run what the compiler wrote, so that this needs a build.
const { emitParts } = (await import(
  new URL("../../../../dist/engine/project/emit/emit-changed.js", import.meta.url).href
)) as typeof import("../../../../engine/project/emit/emit-changed.ts");

/** Enough tools for threads. */
const TOOL_COUNTS = [70, 130, 100];

function makeJobs(ids: readonly string[]): EmissionJob[] {
  return TOOL_COUNTS.map((count, index) => {
    const tools = Array.from({ length: count }, (_, number) => ({
      name: `tool_${number}`,
      description: `Tool ${number}.`,
      inputSchema: { type: "object", properties: { text: { type: "string", maxLength: number } } },
    }));
    const server = lockedServer(ids[index] ?? "", tools);
    return { server, known: undefined, intact: new Set() };
  });
}

test("threads emit the same as the main thread, in the order of the servers", async () => {
  const jobs = makeJobs(["a", "b", "c"]);
  const expected = [];
  for (const job of jobs) expected.push(await emitPart(job));
  expect(await emitParts(jobs)).toEqual(expected);
});

test("what fails in a thread is the error of the whole", async () => {
  await expect(emitParts(makeJobs(["a", "../b", "c"]))).rejects.toThrow('"../b" is no server id.');
});
