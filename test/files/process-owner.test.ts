import { spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { MACHINE, mayRun, ownerHere, steadyMs } from "../../runtime/files/process-owner.ts";

test("a process that runs may run, and one that has ended does not", async () => {
  expect(mayRun(ownerHere())).toBe(true);
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  expect(mayRun({ ...ownerHere(), pid: child.pid ?? 0, started: undefined })).toBe(false);
});

test("a process that has got the id of one that has ended is another one, where the system tells when it began", () => {
  expect(mayRun({ ...ownerHere(), started: "1" })).toBe(ownerHere().started === undefined);
});

test("of another machine, another container, or a time before a restart nothing is known", () => {
  const ended = { pid: 2 ** 22 + 1, host: hostname(), machine: MACHINE };
  expect(mayRun(ended)).toBe(false);
  expect(mayRun({ ...ended, host: "another" })).toBe(true);
  expect(mayRun({ ...ended, machine: "0".repeat(16) })).toBe(true);
});

test("the clock of the machine goes on, and takes no notice of the time of the day", () => {
  const before = steadyMs();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(Date.now());
  expect(steadyMs()).toBeGreaterThanOrEqual(before);
});
