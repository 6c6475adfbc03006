import { expect, it } from "vitest";
import { takeObserved } from "../../../schemas/lock/lock-server.ts";
import { lockedServer, observe } from "../../templates/lockfile-of.ts";

const TOOLS = [{ name: "read" }, { name: "write" }];
const [files, notes] = [lockedServer("files", TOOLS), lockedServer("notes", TOOLS)];
const lockfileOf = (...servers: (typeof files)[]) => ({ servers: new Map(servers.map((entry) => [entry.id, entry])) });

it("takes what was observed of the same tools, and leaves every other value as it is", () => {
  const lockfile = lockfileOf(files, notes);
  const learned = lockfileOf(observe(files, { read: [{ id: 1 }] }), notes);
  const taken = takeObserved(lockfile, learned);
  expect(taken).toEqual(learned);
  expect(taken.servers.get("notes")).toBe(notes);
  expect(taken.servers.get("files")?.tools[1]).toBe(files.tools[1]);
  expect(takeObserved(taken, learned)).toBe(taken);
});

it("takes that something was forgotten", () => {
  const learned = lockfileOf(observe(files, { read: ["a"] }), notes);
  const taken = takeObserved(learned, lockfileOf(files, notes));
  expect(taken).toEqual(lockfileOf(files, notes));
  expect(taken.servers.get("files")?.tools[0]).not.toHaveProperty("observed");
});

it("takes nothing of tools that differ, or that the other lockfile does not have", () => {
  const changed = observe(lockedServer("files", [{ name: "read", description: "Changed." }]), { read: ["a"] });
  const added = observe(lockedServer("added", TOOLS), { read: ["a"] });
  const lockfile = lockfileOf(files, notes);
  expect(takeObserved(lockfile, lockfileOf(changed, added))).toBe(lockfile);
});
