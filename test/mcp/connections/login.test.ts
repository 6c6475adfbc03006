import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { login } from "../../../runtime/mcp/oauth/login.ts";
import { logout } from "../../../runtime/mcp/oauth/logout.ts";
import { credentialsPath, readStoredLogins } from "../../../runtime/mcp/oauth/credentials-file.ts";
import { browse, type AuthorizationServer } from "../../servers/authorization-server.mjs";
import { connectHttp, httpTarget, serve } from "./http-servers.ts";
import { contentOf, failureOf } from "./misbehaving.ts";
import { folder, keepLoginsApart, opened, openUrl, startProtected, storedTokens } from "./protected-servers.ts";
import { testOnPosix } from "../../platforms/needs.ts";

keepLoginsApart();

describe("a login", () => {
  it("opens the way to a server that wants one", async () => {
    const { target, authorization } = await startProtected();
    expect((await failureOf(connectHttp(target))).kind).toBe("unauthorized");
    expect(await login(target, { openUrl })).toMatchObject({ issuer: authorization.issuer });
    const connection = await connectHttp(target);
    expect((await connection.snapshot()).tools.length).toBeGreaterThan(0);
  });

  it("registers once, uses PKCE, and says which server the token is for", async () => {
    const { target, authorization, server } = await startProtected();
    const seen: URL[] = [];
    const watch = async (url: URL) => {
      seen.push(url);
      await openUrl(url);
    };
    await login(target, { openUrl: watch });
    await login(target, { openUrl: watch });
    expect(authorization.requests.filter((request) => request === "POST /reg")).toHaveLength(1);
    const parameters = Object.fromEntries(seen[0]?.searchParams ?? []);
    expect(parameters).toMatchObject({ code_challenge_method: "S256", resource: server.url, response_type: "code" });
    expect(parameters["redirect_uri"]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(parameters["scope"]).toBe("tools:read offline_access");
  });

  testOnPosix("modes of files")("keeps its tokens where only the user can read them", async () => {
    const { target } = await startProtected();
    await login(target, { openUrl });
    const path = credentialsPath(target);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, "codemode"))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(path, ".."))).toHaveLength(1); // no draft, no lock
  });

  it("may use a client that was registered by hand", async () => {
    const { target, authorization } = await startProtected();
    await login({ ...target, oauth: { clientId: "by-hand" } }, { openUrl });
    expect(authorization.requests).not.toContain("POST /reg");
    await connectHttp(target);
  });

  it("is for the server at this URL alone", async () => {
    const { target } = await startProtected();
    const other = await startProtected();
    await login(target, { openUrl });
    expect((await failureOf(connectHttp(other.target))).kind).toBe("unauthorized");
  });

  it("does not take the place of headers that say how to be authorized", async () => {
    const { target, server } = await startProtected();
    await login(target, { openUrl });
    const headers = { authorization: "Bearer of-my-own" };
    expect((await failureOf(connectHttp({ ...target, headers }))).kind).toBe("unauthorized");
    expect(server.received.at(-1)?.headers.authorization).toBe("Bearer of-my-own");
  });

  it("that was refused says so", async () => {
    const { target } = await startProtected();
    const refuse = async (url: URL) => void (await browse(url, { "x-refuse": "yes" }));
    expect(await failureOf(login(target, { openUrl: refuse }))).toMatchObject({
      kind: "unauthorized",
      message: 'server "remote" could not be logged in to: not today',
    });
    expect(await storedTokens(target)).toBeUndefined();
  });

  it("can be given up while the user is away", async () => {
    const { target } = await startProtected();
    const signal = AbortSignal.timeout(300);
    expect((await failureOf(login(target, { openUrl: () => undefined, signal }))).kind).toBe("cancelled");
  });

  it("takes no answer but the one that belongs to it", async () => {
    const { target } = await startProtected();
    const forge = async (url: URL) => {
      const forged = new URL(url.searchParams.get("redirect_uri") as string);
      forged.search = "?code=stolen&state=guessed";
      expect((await fetch(forged)).status).toBe(404);
      await openUrl(url);
    };
    await login(target, { openUrl: forge });
    expect(await storedTokens(target)).toBeDefined();
  });

  it("takes no answer of another authorization server (RFC 9207)", async () => {
    const { target } = await startProtected();
    const mixUp = async (url: URL) => {
      const answer = new URL(url.searchParams.get("redirect_uri") as string);
      const state = url.searchParams.get("state") as string;
      answer.search = new URLSearchParams({ code: "stolen", state, iss: "https://evil.example" }).toString();
      await fetch(answer);
    };
    expect((await failureOf(login(target, { openUrl: mixUp }))).message).toMatch(/issuer|iss/i);
  });

  it("opens no page but of the web", async () => {
    const { target, server } = await startProtected();
    const { issuer } = opened[0] as AuthorizationServer;
    const real = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<string, unknown>;
    const evil = { ...real, authorization_endpoint: "file:///bin/sh" };
    const { port } = server;
    Object.assign(evil, { issuer: `http://127.0.0.1:${port}` });
    server.resourceMetadata = {
      ...server.resourceMetadata,
      authorization_servers: [`http://127.0.0.1:${port}`],
      ...evil,
    };
    let page: URL | undefined;
    const failure = await failureOf(login(target, { openUrl: (url) => void (page = url) }));
    expect(failure.kind).toBe("unauthorized");
    expect(page).toBeUndefined();
  });

  it("does not send tokens where others could read them", async () => {
    const target = httpTarget({ url: "http://host.invalid/mcp" });
    expect((await failureOf(login(target, { openUrl }))).message).toContain("not https:");
  });

  it("says that the server has no logins where it has none", async () => {
    const target = httpTarget(await serve());
    expect(await failureOf(login(target, { openUrl }))).toMatchObject({
      kind: "unauthorized",
      message: 'server "remote" could not be logged in to: it does not ask for a login',
    });
  });
});

describe("a token", () => {
  it("that is about to end is renewed first, once for all that want it", async () => {
    const { target, authorization } = await startProtected();
    await login(target, { openUrl });
    const before = await storedTokens(target);
    const path = credentialsPath(target);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/"expiresAt": \d+/, `"expiresAt": ${Date.now() + 20_000}`));
    const connections = await Promise.all([connectHttp(target), connectHttp(target), connectHttp(target)]);
    await Promise.all(connections.map((connection) => connection.snapshot()));
    const after = await storedTokens(target);
    expect(after?.access_token).not.toBe(before?.access_token);
    expect(after?.refresh_token).not.toBe(before?.refresh_token);
    expect(authorization.requests.filter((request) => request === "POST /token")).toHaveLength(2);
    expect(authorization.requests).not.toContain("POST /token/revocation");
  });

  it("of a short life is not renewed all the time", async () => {
    const { target, authorization } = await startProtected({ accessTokenSeconds: 10 });
    await login(target, { openUrl });
    await (await connectHttp(target)).snapshot();
    expect(authorization.requests.filter((request) => request === "POST /token")).toHaveLength(1);
  });

  it("that the server takes no more is renewed in the middle of things", async () => {
    const { target, server } = await startProtected();
    await login(target, { openUrl });
    const connection = await connectHttp(target);
    const stale = (await storedTokens(target))?.access_token;
    const { guard } = server;
    server.guard = async (token, message) =>
      token === stale ? { status: 401, challenge: "Bearer" } : guard?.(token, message);
    const snapshots = await Promise.all([connection.snapshot(), connection.snapshot(), connection.snapshot()]);
    expect(snapshots).toHaveLength(3);
    expect((await storedTokens(target))?.access_token).not.toBe(stale);
  });

  it("that cannot be renewed is a login that has ended", async () => {
    const { target } = await startProtected();
    await login(target, { openUrl });
    const path = credentialsPath(target);
    const text = await readFile(path, "utf8");
    const tokens = await storedTokens(target);
    await writeFile(
      path,
      text.replaceAll(tokens?.access_token as string, "x1").replaceAll(tokens?.refresh_token as string, "x2"),
    );
    expect(await failureOf(connectHttp(target))).toMatchObject({
      kind: "unauthorized",
      hint: expect.stringContaining("codemode login remote"),
    });
  });

  it("that lacks a scope is refused; the next login asks for it", async () => {
    const { target } = await startProtected();
    await login(target, { openUrl });
    const connection = await connectHttp(target);
    expect(await failureOf(connection.callTool("echo", {}))).toMatchObject({
      kind: "forbidden",
      message: 'server "remote" refuses access (HTTP 403); it wants the scope tools:write',
    });
    await connection.close();
    expect((await login(target, { openUrl })).scope).toContain("tools:write");
    const again = await connectHttp(target);
    expect(contentOf(await again.callTool("echo", { a: 1 }))).toEqual({ a: 1 });
  });

  it("is masked where a server repeats it", async () => {
    const { target, server } = await startProtected();
    await login(target, { openUrl });
    const connection = await connectHttp(target);
    const token = (await storedTokens(target))?.access_token as string;
    expect(contentOf(await connection.callTool("headers", {}))).toMatchObject({
      authorization: "Bearer [redacted: access token]",
    });
    server.habits.add("broken");
    server.received.length = 0;
    const failure = await failureOf(connection.snapshot());
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${token}`);
    expect(failure.message).toContain("boom");
    expect(failure.message).not.toContain(token);
  });
});

describe("a logout", () => {
  it("forgets the tokens and tells the authorization server", async () => {
    const { target, authorization } = await startProtected();
    await login(target, { openUrl });
    const refreshToken = (await storedTokens(target))?.refresh_token as string;
    expect(await authorization.provider.RefreshToken.find(refreshToken)).toBeDefined();
    expect(await logout(target)).toBe(true);
    expect(await authorization.provider.RefreshToken.find(refreshToken)).toBeUndefined();
    expect((await failureOf(connectHttp(target))).kind).toBe("unauthorized");
    expect(await logout(target)).toBe(false);
  });

  it("forgets the tokens even when the authorization server is gone", async () => {
    const { target, authorization } = await startProtected();
    await login(target, { openUrl });
    await authorization.close();
    opened.length = 0;
    expect(await logout(target)).toBe(true);
    expect(await readStoredLogins(credentialsPath(target))).toBeUndefined();
  });
});
