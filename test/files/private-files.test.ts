import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makePrivateFolder, writePrivately } from "../../runtime/files/private-files.ts";
import { testOnPosix } from "../platforms/needs.ts";

function makeState(): { state: string; outside: string } {
  const root = mkdtempSync(join(tmpdir(), "codemode-test-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [state, outside] = [join(root, "state"), join(root, "outside")];
  for (const folder of [state, outside]) mkdirSync(folder);
  return { state, outside };
}

testOnPosix("modes of files")("a private file is for its owner alone, also where another one was there", async () => {
  const { state } = makeState();
  const file = join(state, "tokens.json");
  writeFileSync(file, "old", { mode: 0o644 });
  await writePrivately(file, "new");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new", 0o600]);
  expect(readdirSync(state)).toEqual(["tokens.json"]);
});

test("tokens are not written where a link leads out of their folder", async () => {
  const { state, outside } = makeState();
  symlinkSync(join(outside, "stolen.json"), join(state, "tokens.json"));
  await expect(writePrivately(join(state, "tokens.json"), "secret")).rejects.toMatchObject({ code: "LINK_OUTSIDE" });
  expect(readdirSync(outside)).toEqual([]);
});

testOnPosix("modes of files")(
  "a folder that codemode has not made keeps its mode, and those of its state are for its owner alone",
  async () => {
    const { state } = makeState();
    chmodSync(state, 0o755);
    mkdirSync(join(state, "codemode"), { mode: 0o755 });
    const own = join(state, "codemode");
    await makePrivateFolder(join(state, "codemode"), own);
    await makePrivateFolder(join(state, "codemode", "trust", "deep"), own);
    await makePrivateFolder(join(state, "other", "deep"), own);
    await makePrivateFolder(state, own);
    const modes = ["", "codemode", "codemode/trust", "codemode/trust/deep", "other/deep"].map(
      (path) => statSync(join(state, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o755, 0o700, 0o700, 0o700, 0o700]);
  },
);

test.runIf(process.platform === "linux")("where no folder can be made, that is said at once", async () => {
  // `mkdir` with `recursive` goes on for ever there.
  const refused = { code: "ENOENT", path: "/proc/missing" };
  await expect(makePrivateFolder("/proc/missing/codemode/runs", "/proc/missing/codemode")).rejects.toMatchObject(
    refused,
  );
  const { state } = makeState();
  writeFileSync(join(state, "file"), "");
  await expect(makePrivateFolder(join(state, "file", "runs"), state)).rejects.toMatchObject({ code: "ENOTDIR" });
});
