import { spawn, spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ownerHere } from "../../../runtime/files/process-owner.ts";
import { withFileLock } from "../../../runtime/files/file-lock.ts";
import { credentialsPath } from "../../../runtime/mcp/oauth/credentials-file.ts";
import { login } from "../../../runtime/mcp/oauth/login.ts";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { folder, keepLoginsApart, openUrl, startProtected } from "./protected-servers.ts";

keepLoginsApart();

/** Connects in a process of its own, and tells what that wrote. */
async function runProgram(target: HttpTarget): Promise<string> {
  const files = ["../../strip-types.mjs", "host-program.mjs"].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  const [stripTypes, program] = files as [string, string];
  const args = ["--import", stripTypes, program, JSON.stringify(target), "exit"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  return readText(child.stdout);
}

describe("several processes", () => {
  it("renew a token once between them, and none spoils it for another", async () => {
    const { target, authorization } = await startProtected();
    await login(target, { openUrl });
    const before = authorization.requests.filter((request) => request === "POST /token").length;
    const path = credentialsPath(target);
    // What another process would write: the token ends now.
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/"expiresAt": \d+/, `"expiresAt": ${Date.now()}`));
    const outcomes = await Promise.all([1, 2, 3].map(() => runProgram(target)));
    expect(outcomes).toEqual(["connected\n", "connected\n", "connected\n"]);
    expect(authorization.requests.filter((request) => request === "POST /token")).toHaveLength(before + 1);
    expect(await readdir(join(path, ".."))).toHaveLength(1);
  });

  it("wait for each other under a lock, and take over the lock of a process that has ended", async () => {
    const file = join(folder, "file");
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    await writeFile(`${file}.lock`, JSON.stringify({ ...ownerHere(), pid }));
    let inside = 0;
    const visits = await Promise.all(
      Array.from({ length: 10 }, () =>
        withFileLock(file, async () => {
          inside += 1;
          const seen = inside;
          await new Promise((resolve) => setTimeout(resolve, 5));
          inside -= 1;
          return seen;
        }),
      ),
    );
    expect(visits).toEqual(visits.map(() => 1));
    expect(await readdir(folder)).toEqual([]);
  });

  it("can be given up waiting for", async () => {
    const file = join(folder, "file");
    await writeFile(`${file}.lock`, JSON.stringify(ownerHere()));
    const waiting = withFileLock(file, async () => "never", AbortSignal.timeout(100));
    await expect(waiting).rejects.toThrow(/timeout/);
  });
});
