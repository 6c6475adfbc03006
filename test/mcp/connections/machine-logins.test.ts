import { generateKeyPairSync } from "node:crypto";
import { readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { credentialsPath } from "../../../runtime/mcp/oauth/credentials-file.ts";
import { makeDpopKey, openDpopSession } from "../../../runtime/mcp/oauth/dpop-key.ts";
import { login, readPastedAnswer } from "../../../runtime/mcp/oauth/login.ts";
import { logout } from "../../../runtime/mcp/oauth/logout.ts";
import { toSigningKey } from "../../../runtime/mcp/oauth/machine-grant.ts";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import type { OAuthSettings } from "../../../schemas/config/config-file.ts";
import { browse, ROBOT, SIGNER } from "../../servers/authorization-server.mjs";
import { connectHttp } from "./http-servers.ts";
import { failureOf } from "./misbehaving.ts";
import { folder, keepLoginsApart, openUrl, startProtected, storedTokens } from "./protected-servers.ts";
import { testOnPosix } from "../../platforms/needs.ts";

keepLoginsApart();

/** A server that a machine logs in to with these settings. */
async function startForMachine(settings: OAuthSettings) {
  const { target, authorization, server } = await startProtected();
  const oauth: OAuthSettings = { grant: "client_credentials", issuer: authorization.issuer, ...settings };
  const asked = () => authorization.requests.filter((request) => request === "POST /token").length;
  const machine: HttpTarget = { ...target, oauth };
  return { target: machine, authorization, server, asked };
}

testOnPosix("modes of files")(
  "a client with a secret of its own needs no login, and asks for one token however many calls wait for it",
  async () => {
    const { target, authorization, asked } = await startForMachine(ROBOT);
    const connections = await Promise.all(Array.from({ length: 5 }, () => connectHttp(target)));
    expect(asked()).toBe(1);
    const call = () =>
      Promise.all(connections.map(({ snapshot }) => Promise.all(Array.from({ length: 10 }, () => snapshot()))));
    await call();
    expect(asked()).toBe(1);
    // The server takes the token for ended from here on: each of the calls meets a 401.
    const before = await storedTokens(target);
    await (await authorization.provider.ClientCredentials.find(before?.access_token ?? ""))?.destroy();
    await call();
    expect(asked()).toBe(2);
    expect((await storedTokens(target))?.access_token).not.toBe(before?.access_token);
    const path = credentialsPath(target);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await logout(target)).toBe(true);
    expect(await readdir(dirname(path))).toEqual([]);
  },
);

test.each([
  ["in a variable, with its lines on one", async () => ({ privateKey: SIGNER.privateKey.replaceAll("\n", "\\n") })],
  [
    "in a file",
    async () => {
      await writeFile(join(folder, "key.pem"), SIGNER.privateKey);
      return { privateKeyFile: join(folder, "key.pem") };
    },
  ],
])("a client may sign its name with a key %s", async (_, key) => {
  const { target, authorization } = await startForMachine({ clientId: SIGNER.clientId, ...(await key()) });
  expect(await login(target, { openUrl })).toMatchObject({ issuer: authorization.issuer });
  await connectHttp(target);
});

test("credentials that are refused are sent once, and shown nowhere", async () => {
  const { target, asked } = await startForMachine({ ...ROBOT, clientSecret: "a wrong secret" });
  const failure = await failureOf(connectHttp(target));
  expect(failure).toMatchObject({
    kind: "unauthorized",
    message: expect.stringContaining("could not be logged in to") as string,
  });
  expect(JSON.stringify([failure.message, failure.hint])).not.toContain("wrong secret");
  expect(asked()).toBe(1);
  const settings = { clientId: "a", privateKeyFile: "/nowhere/key.pem" };
  const { target: unreadable } = await startForMachine(settings);
  expect((await failureOf(connectHttp(unreadable))).message).toContain(
    'the file of "oauth.privateKeyFile" cannot be read (ENOENT)',
  );
});

test("credentials go to the issuer of the configuration, and to no other that the server names", async () => {
  const { target, server, asked } = await startForMachine(ROBOT);
  const other = await startForMachine(ROBOT);
  server.resourceMetadata = { resource: server.url, authorization_servers: [other.target.oauth?.issuer] };
  await connectHttp(target);
  expect([asked(), other.asked()]).toEqual([1, 0]);
});

test("tokens of a machine are neither those of a person nor those of other settings", () => {
  const url = "https://a.example/mcp";
  const machine = {
    grant: "client_credentials",
    issuer: "https://i.example",
    clientId: "a",
    clientSecret: "1",
  } as const;
  const variants: OAuthSettings[] = [{}, machine, { ...machine, clientSecret: "2" }, { ...machine, scope: "x" }];
  expect(new Set(variants.map((oauth) => credentialsPath({ url, oauth }))).size).toBe(4);
  expect(credentialsPath({ url, oauth: { clientId: "a" } })).toBe(credentialsPath({ url }));
});

test("the algorithm of a signature follows from the key, and what is no key is not quoted", () => {
  const pem = (key: ReturnType<typeof generateKeyPairSync>["privateKey"]) =>
    key.export({ format: "pem", type: "pkcs8" }) as string;
  const keys = [
    generateKeyPairSync("rsa", { modulusLength: 2048 }),
    generateKeyPairSync("ec", { namedCurve: "P-384" }),
    generateKeyPairSync("ed25519"),
  ];
  expect(keys.map(({ privateKey }) => toSigningKey(pem(privateKey)).algorithm)).toEqual(["RS256", "ES384", "EdDSA"]);
  const jwk = JSON.stringify(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }));
  expect(toSigningKey(jwk).algorithm).toBe("ES256");
  for (const text of ["s3cret", "{s3cret", '{"kty":"s3cret"}', pem(generateKeyPairSync("x25519").privateKey)]) {
    expect(() => toSigningKey(text)).toThrow(/^the key of "oauth" is (?!.*s3cret)/);
  }
});

test("a key that was stored is the same key", async () => {
  const key = await makeDpopKey();
  const [one, other] = await Promise.all([
    openDpopSession(key),
    openDpopSession(JSON.parse(JSON.stringify(key)) as typeof key),
  ]);
  expect(one.thumbprint).toBe(other.thumbprint);
  expect(one.publicJwk).not.toHaveProperty("d");
  expect((await other.buildProof({ htm: "POST", htu: "https://a.example/" })).split(".")).toHaveLength(3);
});

test("a login in a browser elsewhere is finished with the address that it ends on, or the code", async () => {
  for (const toPasted of [(address: URL) => address.href, (address: URL) => address.search]) {
    const { target } = await startProtected();
    let address = "";
    const problems: (string | undefined)[] = [];
    await login(target, {
      openUrl: async (url) => void (await browse(url, {}, (reached) => (address = reached))),
      async readPasted(problem) {
        problems.push(problem);
        if (problems.length === 1) return address.replace(/state=[^&]+/, "state=of-another");
        return toPasted(new URL(address));
      },
    });
    expect(problems).toEqual([undefined, "That is the answer to another login."]);
    expect(await storedTokens(target)).toBeDefined();
  }
  const { target } = await startProtected();
  const nothing = { openUrl: () => undefined, readPasted: async () => undefined };
  expect((await failureOf(login(target, nothing))).message).toContain("no answer was pasted");
});

test.each([
  ["http://127.0.0.1:1/callback?code=c&state=s&iss=i", "code=c&state=s&iss=i"],
  ["?code=c&state=s", "code=c&state=s"],
  ["http://127.0.0.1:1/callback?error=access_denied&state=s", "error=access_denied&state=s"],
  ["c0de", "code=c0de"],
  ["c0de#s", "code=c0de"],
  ["c0de#other", "That is the answer to another login."],
  ["http://127.0.0.1:1/callback?code=c&state=other", "That is the answer to another login."],
  ["http://127.0.0.1:1/callback?code=c", "That is the answer to another login."],
  ["http://127.0.0.1:1/", "That address has no answer in it."],
  ["https://login.example/page?next=1", "That address has no answer in it."],
  ["  ", "Nothing was pasted."],
  ["two words", "That is more than one word."],
])("of what is pasted, %j is %s", (pasted, read) => {
  expect(String(readPastedAnswer(`${pasted}\n`, "s"))).toBe(read);
});
