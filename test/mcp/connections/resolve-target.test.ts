import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { ServerEntry } from "../../../schemas/config/config-file.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import { listSecrets, type StdioTarget } from "@codemode/runtime/connections/server-target";
import { resolveTarget } from "../../../runtime/mcp/resolve-target.ts";

const ENV = { TOKEN: "hunter-2", HOST: "host.example", BAD: "two\nlines" };

function resolveEntry(entry: ServerEntry) {
  const [server] = toConfig({ mcpServers: { remote: entry } }, "config.json", "/project").servers;
  if (server === undefined) throw new Error("no server");
  return resolveTarget(server, "/project", { env: ENV }, "modern");
}

function failureOf(entry: ServerEntry): CodemodeError {
  try {
    resolveEntry(entry);
  } catch (error) {
    if (error instanceof CodemodeError) return error;
  }
  throw new Error("no error");
}

test("a path of this machine is no secret under any name; what only looks like one is", () => {
  const folder = tmpdir();
  const env = {
    GOOGLE_OAUTH_CREDENTIALS: join(folder, "nowhere", "gcp.json"),
    KEY_FILE: import.meta.filename,
    AWS_SECRET_ACCESS_KEY: "/wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    API_TOKEN: "tmp/relative",
    PASSWORD: parse(folder).root + "tmp",
  };
  const target = { id: "a", name: "a", transport: "stdio", command: "x", args: [], env, cwd: folder, timeoutMs: 1 };
  expect(Object.keys(listSecrets(target as unknown as StdioTarget))).toEqual([
    "AWS_SECRET_ACCESS_KEY",
    "API_TOKEN",
    "PASSWORD",
  ]);
});

describe("the target of a remote server", () => {
  it("has the values of all placeholders, and knows which of them to mask", () => {
    const target = resolveEntry({
      url: "https://${HOST}/mcp?key=${env:TOKEN}",
      headers: { Authorization: "Bearer ${TOKEN}", "X-Mode": "${MODE:-plain}" },
    });
    expect(target).toEqual({
      id: "remote",
      name: "remote",
      transport: "http",
      url: "https://host.example/mcp?key=hunter-2",
      headers: { Authorization: "Bearer hunter-2", "X-Mode": "plain" },
      timeoutMs: 60_000,
      era: "modern",
      literals: { "headers.Authorization": "hunter-2", url: "hunter-2" },
      secrets: { HOST: "host.example", TOKEN: "hunter-2" },
    });
    expect(listSecrets(target)).toMatchObject({
      TOKEN: "hunter-2",
      Authorization: "Bearer hunter-2",
      "Authorization credential": "hunter-2",
    });
  });

  it("is of the older transport where it says so", () => {
    expect(resolveEntry({ type: "sse", url: "https://host.example/sse" }).transport).toBe("sse");
  });

  it.each([
    ["a URL that is none", { url: "host.example/mcp" }],
    ["a URL of another scheme", { url: "file:///etc/passwd" }],
    ["a URL of a scheme that only begins so", { url: "httpsx://host.example/" }],
    ["a URL of a scheme that only ends so", { url: "xhttp://host.example/" }],
    ["a URL with a user alone", { url: "https://me@host.example/" }],
    ["a URL with a password alone", { url: "https://:${TOKEN}@host.example/" }],
    ["a URL with credentials", { url: "https://me:${TOKEN}@host.example/" }],
    ["a header name with a line break", { url: "https://host.example/", headers: { "X-A\nB": "1" } }],
    ["a header value with a line break", { url: "https://host.example/", headers: { "X-A": "${BAD} ${TOKEN}" } }],
  ])("refuses %s, without showing a value", (_, entry) => {
    const failure = failureOf(entry);
    expect(failure.code).toBe("INVALID_OPTION");
    expect(failure.message).toContain('server "remote"');
    expect(failure.message).not.toMatch(/hunter|lines/);
  });

  it("names a variable that is not set", () => {
    expect(failureOf({ url: "https://host.example/${NOT_SET}" })).toMatchObject({
      code: "VARIABLE_UNSET",
      message: expect.stringContaining("NOT_SET"),
    });
  });
});

describe("the target of a program", () => {
  const HTTPS_PROXY = "http://user:pr0xy-pass@proxy.example";
  const resolveProgram = (entry: ServerEntry, era?: "modern") => {
    const [server] = toConfig({ mcpServers: { local: entry } }, "config.json", "/project").servers;
    if (server === undefined) throw new Error("no server");
    const env = { ...ENV, HTTPS_PROXY, HTTP_PROXY: "http://proxy.example", PLAIN: "plain-value", PATH: "/bin" };
    return resolveTarget(server, "/project", { env }, era);
  };

  it("has all placeholders filled in, and starts in the project folder", () => {
    const target = resolveProgram({ command: "${HOST}", args: ["--to=${HOST}"], env: { A: "${HOST}" } });
    expect(target).toMatchObject({
      ...{ transport: "stdio", command: "host.example", args: ["--to=host.example"], env: { A: "host.example" } },
      ...{ inheritEnv: [], cwd: "/project" },
    });
    expect(target).not.toHaveProperty("era");
    expect(resolveProgram({ command: "x" }, "modern")).toMatchObject({ era: "modern" });
    expect(resolveProgram({ command: "x", cwd: "sub/${HOST}" })).toMatchObject({ cwd: "/project/sub/host.example" });
  });

  it("knows what to mask of what it inherits: what the configuration names, and proxies with a password", () => {
    const target = resolveProgram({ command: "x", inheritEnv: ["PLAIN"] });
    expect(target).toMatchObject({ inheritEnv: ["PLAIN"], secrets: { PLAIN: "plain-value", HTTPS_PROXY } });
    expect(Object.keys(target.secrets ?? {}).toSorted()).toEqual(["HTTPS_PROXY", "PLAIN"]);
    expect(Object.keys(resolveProgram({ command: "x" }).secrets ?? {})).toEqual(["HTTPS_PROXY"]);
  });

  it("knows what looks like a secret, but for what is said to be none", () => {
    const literalsOf = (notSecret?: string[]) => {
      const entry = { command: "x", args: ["--token", "abcdef0123456789", "scheme://u:p4ssw0rd-1@h/"] };
      return resolveProgram({ ...entry, ...(notSecret === undefined ? {} : { notSecret }) }).literals ?? {};
    };
    expect(Object.values(literalsOf())).toEqual(expect.arrayContaining(["abcdef0123456789", "p4ssw0rd-1"]));
    expect(Object.values(literalsOf(["args[1]"]))).not.toContain("abcdef0123456789");
  });
});

it("what a server's login needs is filled in, and is not there where nothing is said", () => {
  const target = resolveEntry({ url: "https://host.example/", oauth: { clientId: "me", clientSecret: "${TOKEN}" } });
  expect(target).toMatchObject({ oauth: { clientId: "me", clientSecret: "hunter-2" } });
  expect(resolveEntry({ url: "http://host.example/" })).not.toHaveProperty("oauth");
});
