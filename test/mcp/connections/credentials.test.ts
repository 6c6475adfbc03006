import { chmod, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { credentialsPath, updateCredentials } from "../../../runtime/mcp/oauth/credentials-file.ts";
import { login } from "../../../runtime/mcp/oauth/login.ts";
import { askForRefresh, renewTokens } from "../../../runtime/mcp/oauth/refresh.ts";
import { openUrl, startProtected, storedTokens } from "./protected-servers.ts";
import { testOnPosix } from "../../platforms/needs.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

testOnPosix("modes of files")("folders that were there before are closed to other accounts", async () => {
  const state = await makeTestFolder();
  const path = credentialsPath({ url: "https://host.example/mcp" }, { XDG_STATE_HOME: state });
  for (const folder of [dirname(dirname(path)), dirname(path)]) {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o755);
  }
  await updateCredentials(path, "https://host.example/mcp", (credentials) => credentials);
  for (const [place, mode] of [
    [dirname(dirname(path)), 0o700],
    [dirname(path), 0o700],
    [path, 0o600],
  ] as const) {
    expect((await stat(place)).mode & 0o777, place).toBe(mode);
  }
});

test("of those that notice at once that a token has ended, one asks for a new one", async () => {
  const { target, authorization } = await startProtected();
  await login(target, { openUrl });
  const stale = (await storedTokens(target))?.access_token;
  const asked = () => authorization.requests.filter((request) => request === "POST /token").length;
  const before = asked();
  const path = credentialsPath(target);
  await Promise.all(Array.from({ length: 100 }, () => renewTokens(path, target.url, stale, askForRefresh)));
  expect(asked()).toBe(before + 1);
  expect((await storedTokens(target))?.access_token).not.toBe(stale);
});
