import { expect, test } from "vitest";
import { evaluateRoom } from "../../../extras/doctor/machine.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";

const GIB = 1024 ** 3;

function judge(servers: number, threads: number, memoryLimitBytes: number) {
  const entries = Array.from({ length: servers }, (_, index) => [`s${index}`, { command: "node" }] as const);
  const remote = ["remote", { type: "http", url: "https://example.com" }] as const;
  const mcpServers = Object.fromEntries([...entries, remote]);
  const config = toConfig({ mcpServers }, "/p/codemode.config.json", "/p");
  const room = [{ by: "pids.max of the control group", threads }];
  return evaluateRoom(config, { memoryBytes: 64 * GIB, memoryLimitBytes }, room);
}

test("the servers over stdio are held against threads and memory that there may be", () => {
  expect(judge(30, 512, 2 * GIB)).toMatchObject({ status: "ok", facts: { programs: 30, threads: 413 } });
  const exceeded = judge(40, 512, GIB);

  expect(exceeded.status).toBe("warning");
  expect(exceeded.found).toContain(
    "about 523 threads and 1.5 GiB; pids.max of the control group is 512, and the memory is 1.0 GiB",
  );
});
