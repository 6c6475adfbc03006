import {
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
import { writePrivately } from "../../runtime/files/private-files.ts";
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
