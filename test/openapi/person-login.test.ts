import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { logInAtApi } from "../../openapi/oauth/log-in.ts";
import { makeTestFolder } from "../make-test-folder.ts";
import { browse } from "../servers/authorization-server.mjs";
import { connectApi } from "./connect-api.ts";
import { documentOf, startProtectedApi } from "./protected-api.ts";

const CLIENT = { OPENAPI_PET_AUTH_CLIENT_ID: "remembered" };

/** A document with the flow of a person at an authorization server, in a file, and the variables that let logins go there. */
async function startPersonLogin() {
  const api = await startProtectedApi();
  const { issuer } = api.authorization;
  const authorizationCode = { authorizationUrl: `${issuer}/auth`, tokenUrl: `${issuer}/token`, scopes: {} };
  const document = documentOf({ type: "oauth2", flows: { authorizationCode } }, ["openid", "offline_access"]);
  const file = join(await makeTestFolder(), "api.json");
  await writeFile(file, JSON.stringify(document));
  const addresses = {
    OPENAPI_PET_AUTH_TOKEN_URL: `${issuer}/token`,
    OPENAPI_PET_AUTH_AUTHORIZATION_URL: `${issuer}/auth`,
  };
  return { ...api, issuer, document, file, env: { ...CLIENT, ...addresses } };
}

/** Opens the address that a login says. */
function open(headers: Record<string, string> = {}): (line: string) => void {
  return (line) => {
    const [address] = /http:\S+/.exec(line) ?? [];
    if (address !== undefined) void browse(address, headers);
  };
}

test("a person logs in once, and the refresh token that comes gets access tokens from then on", async () => {
  const { file, document, env, origin, asked, authorization } = await startPersonLogin();
  const { variable, value } = await logInAtApi(file, "petAuth", { baseUrl: origin, env }, open());
  expect(variable).toBe("OPENAPI_PET_AUTH_REFRESH_TOKEN");
  const refreshing = { ...env, [variable]: value };
  const { call, api } = await connectApi(document, { baseUrl: origin, env: refreshing });
  expect(api.variables).toEqual({ OPENAPI_PET_AUTH_CLIENT_ID: true, OPENAPI_PET_AUTH_REFRESH_TOKEN: true });
  const results = await Promise.all([call("thing"), call("thing")]);
  const scope = "offline_access openid";
  expect(results.map(({ structured }) => structured)).toEqual([{ scope }, { scope }]);
  expect(asked()).toBe(2);
  // This server takes each refresh token once.
  expect((await authorization.provider.RefreshToken.find(value))?.isValid).toBe(false);
});

test("a refresh token that has been rotated is followed", async () => {
  const { file, document, env, origin, tokens, asked, authorization } = await startPersonLogin();
  const { variable, value } = await logInAtApi(file, "petAuth", { baseUrl: origin, env }, open());
  const { call } = await connectApi(document, { baseUrl: origin, env: { ...env, [variable]: value } });
  for (let count = 0; count < 3; count += 1) {
    expect((await call("thing")).isError).toBe(false);
    await (await authorization.provider.AccessToken.find(tokens.at(-1) ?? ""))?.destroy();
  }
  expect(asked()).toBe(4);
});

test("with a file for it, the newest refresh token outlives the server that got it", async () => {
  const { file, document, env, origin, authorization } = await startPersonLogin();
  const tokenFile = join(await makeTestFolder(), "token");
  const keeping = { ...env, OPENAPI_PET_AUTH_REFRESH_TOKEN_FILE: tokenFile };
  const loggedIn = await logInAtApi(file, "petAuth", { baseUrl: origin, env: keeping }, open());
  expect(loggedIn).toEqual({ variable: "OPENAPI_PET_AUTH_REFRESH_TOKEN_FILE", value: tokenFile, isFile: true });
  const kept = [await readFile(tokenFile, "utf8")];
  const servers = [1, 2, 3].map(() => connectApi(document, { baseUrl: origin, env: keeping }));
  for (const { call, api } of await Promise.all(servers)) {
    expect(api.variables).toEqual({ OPENAPI_PET_AUTH_CLIENT_ID: true, OPENAPI_PET_AUTH_REFRESH_TOKEN_FILE: true });
    expect((await call("thing")).isError).toBe(false);
    kept.push(await readFile(tokenFile, "utf8"));
  }
  expect(new Set(kept).size).toBe(4);
  expect((await authorization.provider.RefreshToken.find(kept.at(-1)?.trim() ?? ""))?.isValid).toBe(true);
});

test("a token and a file for it are not both taken", async () => {
  const { document, env, origin } = await startPersonLogin();
  const both = { OPENAPI_PET_AUTH_REFRESH_TOKEN: "a", OPENAPI_PET_AUTH_REFRESH_TOKEN_FILE: "b" };
  await expect(connectApi(document, { baseUrl: origin, env: { ...env, ...both } })).rejects.toThrow(
    "both OPENAPI_PET_AUTH_REFRESH_TOKEN and OPENAPI_PET_AUTH_REFRESH_TOKEN_FILE are set",
  );
});

test("the command prints the address for a person, and the token alone on standard output", async () => {
  const { file, env, origin } = await startPersonLogin();
  const { code, stdout, stderr } = await logInByCommand(file, origin, env);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^[\w-]{20,}\n$/)]);
  expect(stderr).toContain("Set OPENAPI_PET_AUTH_REFRESH_TOKEN to the refresh token:\n");
  expect(stderr).not.toContain(stdout.trim());
});

test("the command that writes a file prints no token", async () => {
  const { file, env, origin } = await startPersonLogin();
  const variable = "OPENAPI_PET_AUTH_REFRESH_TOKEN_FILE";
  const tokenFile = join(await makeTestFolder(), "token");
  const { code, stdout, stderr } = await logInByCommand(file, origin, { ...env, [variable]: tokenFile });
  const token = (await readFile(tokenFile, "utf8")).trim();
  expect([code, stdout, token]).toEqual([0, "", expect.stringMatching(/^[\w-]{20,}$/)]);
  expect(stderr).toContain(`The refresh token is in ${tokenFile}, which the server reads and renews while ${variable}`);
  expect(stderr).not.toContain(token);
});

async function logInByCommand(file: string, origin: string, env: Record<string, string>) {
  const words = [resolve("openapi/dist/main.js"), file, "--base-url", origin, "--login", "petAuth"];
  const child = spawn(process.execPath, words, { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill());
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    if (stderr.endsWith("\n\n")) open()(stderr);
  });
  const [code] = (await once(child, "close")) as [number];
  return { code, stdout, stderr };
}

test("a client that gets no refresh token has an access token for a while", async () => {
  const { file, env, origin } = await startPersonLogin();
  const byHand = { ...env, OPENAPI_PET_AUTH_CLIENT_ID: "by-hand", OPENAPI_PET_AUTH_SCOPE: "openid" };
  const { variable, expiresIn } = await logInAtApi(file, "petAuth", { baseUrl: origin, env: byHand }, open());
  expect([variable, expiresIn]).toEqual(["OPENAPI_PET_AUTH", 3_600]);
});

test("a provider of OpenID says both addresses", async () => {
  const { issuer, origin } = await startPersonLogin();
  const openIdConnectUrl = `${issuer}/.well-known/openid-configuration`;
  const file = join(await makeTestFolder(), "api.json");
  await writeFile(file, JSON.stringify(documentOf({ type: "openIdConnect", openIdConnectUrl }, [])));
  const options = { baseUrl: origin, trustOrigins: [issuer], env: CLIENT };
  const { variable } = await logInAtApi(file, "petAuth", options, open());
  expect(variable).toBe("OPENAPI_PET_AUTH_REFRESH_TOKEN");
});

test("a refused login, and an answer that was not asked for", async () => {
  const { file, env, origin } = await startPersonLogin();
  const refused = logInAtApi(file, "petAuth", { baseUrl: origin, env }, open({ "x-refuse": "1" }));
  await expect(refused).rejects.toThrow("the login petAuth failed: access_denied: not today");
  const statuses: number[] = [];
  const say = (line: string): void => {
    const page = /http:\S+/.exec(line)?.[0] ?? "";
    const callback = new URL(page).searchParams.get("redirect_uri") ?? "";
    void (async () => {
      for (const query of ["?code=foreign&state=wrong", "?code=foreign", "/more"]) {
        statuses.push((await fetch(`${callback}${query}`)).status);
      }
      await browse(page);
    })();
  };
  await logInAtApi(file, "petAuth", { baseUrl: origin, env }, say);
  expect(statuses).toEqual([404, 404, 404]);
});

test("a mistake is one line before a page is opened", async () => {
  const { file, env, origin } = await startPersonLogin();
  const fail = (name: string, options: object, port?: number) =>
    logInAtApi(file, name, { baseUrl: origin, env, ...options }, () => expect.unreachable(), port);
  await expect(fail("other", {})).rejects.toMatchObject({ hint: "There are petAuth." });
  await expect(fail("petAuth", { env: {} })).rejects.toMatchObject({
    ...{ code: "CREDENTIAL_MISSING", message: "the login petAuth has no client" },
    hint: "Register a client with the redirect address http://127.0.0.1/callback, and set OPENAPI_PET_AUTH_CLIENT_ID.",
  });
  // A page of another host could ask for more than a login.
  const { OPENAPI_PET_AUTH_AUTHORIZATION_URL, ...onlyToken } = env;
  const url = OPENAPI_PET_AUTH_AUTHORIZATION_URL;
  await expect(fail("petAuth", { env: onlyToken })).rejects.toMatchObject({
    message: `api.json:1: #/components/securitySchemes/petAuth: ${url} is of another origin than the API, so no login goes there by the word of the document`,
    hint: "If it is right, set OPENAPI_PET_AUTH_AUTHORIZATION_URL to it.",
  });
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  await expect(fail("petAuth", {}, port)).rejects.toThrow(`port ${port} cannot be used: EADDRINUSE`);
});
