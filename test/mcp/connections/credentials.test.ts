import { chmod, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { credentialsPath, updateCredentials } from "../../../runtime/mcp/oauth/credentials-file.ts";
import { login } from "../../../runtime/mcp/oauth/login.ts";
import { askForRefresh, renewTokens } from "../../../runtime/mcp/oauth/refresh.ts";
import { keepLoginsApart, openUrl, startProtected, storedTokens } from "./protected-servers.ts";
import { testOnPosix } from "../../platforms/needs.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

keepLoginsApart();

testOnPosix("modes of files")("folders that were there before are closed to other accounts", async () => {
  const state = await makeTestFolder();
  vi.stubEnv("XDG_STATE_HOME", state);
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = credentialsPath({ url: "https://host.example/mcp" });
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

test("of connections that notice at once that a token has ended, one asks for a new one", async () => {
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

/** An issuer whose token endpoint answers so. */
async function startIssuer(answers: readonly { status: number; body: string; headers?: Record<string, string> }[]) {
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.method !== "POST") return void response.writeHead(404).end();
    const { status, body, headers } = answers[Math.min(asked, answers.length - 1)] as (typeof answers)[number];
    asked += 1;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { client_id: "c" };
  const tokens = { access_token: "a", token_type: "bearer", refresh_token: "r" };
  const ask = () =>
    askForRefresh({ issuer, grants: { [issuer]: { client, tokens } } } as unknown as Parameters<
      typeof askForRefresh
    >[0]);
  return { ask, asked: () => asked };
}

const GOOD = { status: 200, body: '{"access_token":"b","token_type":"bearer"}' };

test.each(["invalid_grant", "invalid_client", "unauthorized_client"])(
  "a login has ended where the authorization server says %s",
  async (error) => {
    const { ask, asked } = await startIssuer([{ status: 400, body: JSON.stringify({ error }) }]);
    await expect(ask()).rejects.toThrow("the login has ended");
    expect(asked()).toBe(1);
  },
);

test.each([
  [503, "<html>", /is down \(HTTP 503\); the login is kept/],
  [502, "", /is down \(HTTP 502\)/],
  [500, '{"error":"server_error"}', /is down \(HTTP 500\)/],
  [503, '{"error":"temporarily_unavailable"}', /is down \(HTTP 503\)/],
  [429, '{"error":"slow_down"}', /is busy \(HTTP 429\)/],
  [408, "", /is busy \(HTTP 408\)/],
  [400, '{"error":"invalid_scope"}', /invalid_scope/],
])("an answer of %i with %s ends no login, and is tried again where it passes", async (status, body, message) => {
  const headers = { "retry-after": "0" };
  const { ask, asked } = await startIssuer([{ status, body, headers }]);
  const error = await ask().then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(error?.message).not.toContain("ended");
  expect(`${error?.message} ${String((error as { code?: string } | undefined)?.code)}`).toMatch(message);
  expect(asked()).toBe(status === 400 ? 1 : 3);
  if (status === 400) return;
  const passing = await startIssuer([{ status, body, headers }, GOOD]);
  expect(await passing.ask()).toMatchObject({ grant: { tokens: { access_token: "b" } } });
});

test("a target that is no path is not there for the listener of a login", async () => {
  const { target } = await startProtected();
  const asked: string[] = [];
  await login(target, {
    openUrl: async (url) => {
      const { port } = new URL(url.searchParams.get("redirect_uri") ?? "");
      for (const path of ["//", "///callback", "http://"]) {
        const socket = connect(Number(port), "127.0.0.1");
        socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        const [chunk] = (await once(socket, "data")) as [Buffer];
        asked.push(String(chunk).slice(9, 12));
      }
      await openUrl(url);
    },
  });
  expect(asked).toEqual(["404", "404", "404"]);
});
