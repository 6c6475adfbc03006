import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readApprovalKey } from "../../../engine/approval-secret.ts";
import { extra } from "../../../extras/durable/index.ts";
import { makeDurableRuns } from "../../../extras/durable/durable-runs.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";
import { readStoredLogins } from "../../../runtime/mcp/oauth/credentials-file.ts";
import { withFileLock } from "../../../runtime/files/file-lock.ts";
import { readTrustRecord, trustRecordPath } from "../../../runtime/mcp/client/project-trust.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { testOnPosix } from "../../platforms/needs.ts";
import { aRun, create } from "./a-run.ts";

// Copies, restores and other programs of the account put pipes, devices and folders into the place of files of the state folder.

const onPosix = testOnPosix("pipes and devices with a path");

const KINDS: [string, (path: string) => Promise<void>][] = [
  ["a pipe", async (path) => void execFileSync("mkfifo", [path])],
  ["a device without an end", (path) => symlink("/dev/zero", path)],
  ["a folder", (path) => mkdir(path).then(() => undefined)],
  ["a link to itself", (path) => symlink(path, path)],
];

/** Two runs that wait for a person, in the folder of a project among those of the account. */
async function makeWaitingRuns() {
  const state = await makeTestFolder();
  const folder = join(state, "codemode", "runs", "project");
  const store = await openFileStore(folder, undefined);
  const ids: string[] = [];
  for (let at = 0; at < 2; at += 1) {
    const owned = await create(store, aRun());
    ids.push(owned.run.id);
    await owned.append([
      { kind: "call", call: 1, serverId: "ledger", toolName: "pay", inputJson: "{}", timeMs: 0 },
      { kind: "asked", about: "call", call: 1, digest: "d", nonce: "n", lines: ["Pay?"] },
      { kind: "suspended", usedMs: 1, at: 0 },
    ]);
    await owned.release();
  }
  await store.close();
  const [broken = "", whole = ""] = ids;
  return { state, folder, broken, whole };
}

const FILES: [string, (id: string) => string, "damaged" | "waiting"][] = [
  ["run.json", (id) => join(id, "run.json"), "damaged"],
  ["its steps", (id) => join(id, "steps.1.jsonl"), "damaged"],
  ["its head", (id) => join("heads", `${id}.1.waiting`), "waiting"],
  ["the sign of its process", () => join("owners", "o".repeat(16)), "waiting"],
  ["a message", (id) => join("messages", `${id}.${"m".repeat(21)}`), "waiting"],
];

for (const [kind, put] of KINDS)
  onPosix(`${kind} in the place of a file of a run keeps no list waiting, and breaks that run alone`, async () => {
    for (const [, placeOf, expected] of FILES) {
      const { state, folder, broken, whole } = await makeWaitingRuns();
      const path = join(folder, placeOf(broken));
      await mkdir(join(folder, "messages"), { recursive: true });
      await rm(path, { force: true });
      await put(path);
      // A head would say how it stands without a look at its files.
      if (expected === "damaged")
        for (const name of await readdir(join(folder, "heads")))
          if (name.startsWith(broken)) await rm(join(folder, "heads", name));
      const store = await openFileStore(folder, undefined);
      const runs = makeDurableRuns({ store, run: () => Promise.reject(new Error("nothing runs here")) });
      const account = await extra.openAccountQuestions(undefined, { XDG_STATE_HOME: state });
      onTestFinished(async () => {
        await account.close();
        await runs.close();
      });
      const states = new Map((await runs.list()).map((run) => [run.id, run.state]));
      expect([placeOf("ID"), states.get(broken), states.get(whole)]).toEqual([placeOf("ID"), expected, "waiting"]);
      const asking = (await account.questions()).map(({ run }) => run);
      expect(asking.toSorted()).toEqual(expected === "damaged" ? [whole] : [broken, whole].toSorted());
      await store.listFree();
      if (expected === "damaged") await expect(runs.find(broken)).rejects.toMatchObject({ code: "RUN_DAMAGED" });
      await runs.cancel(whole);
      expect(await runs.remove(broken).catch((error: { code?: string }) => error.code)).toBe(
        expected === "damaged" ? 1 : "RUN_OPEN",
      );
    }
  });

for (const [kind, put] of KINDS)
  onPosix(
    `${kind} in the place of another file of the state folder holds nothing, and keeps no reader waiting`,
    async () => {
      const state = await makeTestFolder();
      const env = { XDG_STATE_HOME: state };
      const putAt = async (path: string): Promise<string> => {
        await mkdir(join(path, ".."), { recursive: true });
        await put(path);
        return path;
      };
      await putAt(trustRecordPath("/project", env));
      expect(readTrustRecord("/project", env)).toEqual([]);
      await putAt(join(state, "codemode", "approval-key.json"));
      expect(await readApprovalKey(env)).toBeUndefined();
      expect(await readStoredLogins(await putAt(join(state, "credentials.json")))).toBeUndefined();
      const asking = join(state, "codemode", "runs", "project", "asking");
      for (const name of ["run.json", "steps.1.jsonl"]) await putAt(join(asking, name[0]?.repeat(22) ?? "", name));
      await putAt(join(asking, "messages", `${"r".repeat(22)}.${"m".repeat(21)}`));
      const account = await extra.openAccountQuestions(undefined, env);
      onTestFinished(() => account.close());
      expect(await account.questions()).toEqual([]);
    },
  );

test("a file in the place of a run, or of a project, is none", async () => {
  const { state, folder, whole } = await makeWaitingRuns();
  await writeFile(join(folder, "f".repeat(22)), "");
  await writeFile(join(state, "codemode", "runs", "file"), "");
  const account = await extra.openAccountQuestions(undefined, { XDG_STATE_HOME: state });
  onTestFinished(() => account.close());
  expect((await account.questions()).map(({ run }) => run)).toContain(whole);
});

test("a lock that is a folder is removed when its time is over, as one of a process that is gone", async () => {
  const folder = await makeTestFolder();
  const path = join(folder, "file");
  await mkdir(`${path}.lock`);
  // Each look at the clock is 10 seconds after the one before.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 10_000));
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await withFileLock(path, async () => "done")).toBe("done");
});
