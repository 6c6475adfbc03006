import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import { parseServerJson } from "../../schemas/config/server-json.ts";

const stdio = { type: "stdio" };
const NPM = { registryType: "npm", identifier: "@acme/weather", version: "1.0.2", transport: stdio };
const entryOf = (parts: JsonObject) =>
  parseServerJson({ name: "io.github.acme/weather", version: "1.0.2", ...parts }).entry;
const entryOfPackage = (parts: JsonObject) => entryOf({ packages: [{ ...NPM, ...parts }] });

describe("a package is started at its exact version", () => {
  const digest = `sha256:${"0".repeat(64)}`;
  test.each<[string, JsonObject, string]>([
    ["npm", {}, "npx -y @acme/weather@1.0.2"],
    [
      "npm, with the option that npx has anyway",
      { runtimeArguments: [{ type: "positional", value: "-y" }] },
      "npx -y @acme/weather@1.0.2",
    ],
    ["pypi", { registryType: "pypi", identifier: "weather-mcp", version: "0.5.0" }, "uvx weather-mcp@0.5.0"],
    [
      "oci",
      { registryType: "oci", identifier: "ghcr.io/acme/weather:1.0.2" },
      "docker run -i --rm ghcr.io/acme/weather:1.0.2",
    ],
    [
      "oci, version apart",
      { registryType: "oci", identifier: "acme/weather" },
      "docker run -i --rm acme/weather:1.0.2",
    ],
    [
      "oci, by digest",
      { registryType: "oci", identifier: `acme/weather@${digest}`, version: "" },
      `docker run -i --rm acme/weather@${digest}`,
    ],
  ])("%s", (_, parts, line) => {
    const { command, args = [] } = entryOfPackage(parts);
    expect([command, ...args].join(" ")).toBe(line);
  });

  test("the first that a known program starts, else the first remote", () => {
    const remotes = [{ type: "sse", url: "https://acme.example/sse" }];
    const mcpb = { ...NPM, registryType: "mcpb", identifier: "https://acme.example/x.mcpb" };
    expect(entryOf({ packages: [mcpb, NPM], remotes }).command).toBe("npx");
    expect(entryOf({ packages: [mcpb, { ...NPM, transport: { type: "sse" } }], remotes })).toEqual({
      type: "sse",
      url: remotes[0]?.url,
    });
  });
});

test("secrets and what is required become placeholders, options without a value are left out", () => {
  const environmentVariables = [
    { name: "WEATHER_KEY", isRequired: true, isSecret: true },
    { name: "UNITS", default: "metric" },
    { name: "PROXY" },
    { name: "REGION", isRequired: true },
  ];
  const packageArguments = [
    { type: "named", name: "--verbose" },
    { type: "named", name: "--folder", isRequired: true, format: "filepath" },
    { type: "positional", value: "{city}!", variables: { city: { default: "Oslo" } } },
    { type: "positional", valueHint: "optional" },
  ];
  const found = parseServerJson({
    name: "io.github.acme/weather",
    packages: [{ ...NPM, environmentVariables, packageArguments }],
  });
  expect(found).toEqual({
    name: "io.github.acme/weather",
    entry: {
      command: "npx",
      args: ["-y", "@acme/weather@1.0.2", "--verbose", "--folder", "${FOLDER}", "Oslo!"],
      env: { WEATHER_KEY: "${WEATHER_KEY}", UNITS: "metric", REGION: "${REGION}" },
    },
    left: ["PROXY"],
  });
  const docker = entryOfPackage({ registryType: "oci", identifier: "acme/weather", environmentVariables });
  expect(docker.args).toEqual([
    "run",
    "-i",
    "--rm",
    "-e",
    "WEATHER_KEY",
    "-e",
    "UNITS",
    "-e",
    "REGION",
    "acme/weather:1.0.2",
  ]);
  const url = "https://{tenant}.acme.example/mcp";
  const headers = [
    { name: "Authorization", value: "Bearer {key}", variables: { key: { isSecret: true } } },
    { name: "X-Api-Key", isRequired: true, isSecret: true },
  ];
  expect(
    entryOf({ remotes: [{ type: "streamable-http", url, variables: { tenant: { isRequired: true } }, headers }] }),
  ).toEqual({
    type: "http",
    url: "https://${TENANT}.acme.example/mcp",
    headers: { Authorization: "Bearer ${KEY}", "X-Api-Key": "${X_API_KEY}" },
  });
});

describe("a hostile document is refused:", () => {
  const argument = (value: string, key = "packageArguments") => ({ [key]: [{ type: "positional", value }] });
  const variable = (name: string, value = "x") => ({ environmentVariables: [{ name, value }] });
  test.each<[string, JsonObject]>([
    ["a package that is an option", { identifier: "--package=evil" }],
    ["a package that is a path", { identifier: "../evil" }],
    ["a package at an address", { identifier: "https://evil.example/x.tgz" }],
    ["a version that is a range", { version: "^1.0.0" }],
    ["a version that is a tag", { version: "latest" }],
    ["no version", { version: null }],
    ["another package registry", { registryBaseUrl: "https://npm.evil.example" }],
    ["options of npx", argument("--package=evil", "runtimeArguments")],
    ["options of docker", { registryType: "oci", identifier: "a/b", ...argument("--privileged", "runtimeArguments") }],
    ["an image without a version", { registryType: "oci", identifier: "a/b", version: "latest" }],
    ["a placeholder that reads a variable of this machine", argument("${AWS_SECRET_ACCESS_KEY}")],
    ["a line break", argument("a\nb")],
    ["text that hides", argument("a\u202Eb")],
    ["a variable of the loader", variable("NODE_OPTIONS", "--import=data:,")],
    ["a package registry in a variable", variable("npm_config_registry", "https://evil.example")],
    ["a package index in a variable", variable("UV_DEFAULT_INDEX", "https://evil.example")],
    ["a proxy in a variable", variable("https_proxy", "http://evil.example")],
    ["a variable that is none", variable("A=B")],
    ["a placeholder in a variable", variable("A", "${HOME}")],
    ["an option that is none", { packageArguments: [{ type: "named", name: "--a b" }] }],
  ])("%s", (_, parts) => {
    expect(() => entryOfPackage(parts)).toThrow(expect.objectContaining({ code: "SERVER_JSON_INVALID" }) as Error);
  });

  test.each([
    ["{a}{AWS_SECRET_ACCESS_KEY}", { a: { default: "$" } }],
    ["{a}{env:AWS_SECRET_ACCESS_KEY}", { a: { value: "$" } }],
    ["{a}{b}", { a: { default: "$" }, b: { value: "{AWS_SECRET_ACCESS_KEY}" } }],
    ["{a}{b}HOME}", { a: { default: "$" }, b: { default: "{" } }],
  ])("pieces that make a placeholder together: %s", (value, variables) => {
    const url = `https://evil.example/${value}`;
    const remotes = [{ type: "sse", url, variables }];
    expect(() => entryOf({ remotes })).toThrow(expect.objectContaining({ code: "SERVER_JSON_INVALID" }) as Error);
  });

  test("a text that its variables make long", () => {
    const value = "{a}".repeat(1000);
    const argument = { type: "positional", value, variables: { a: { default: "x".repeat(4000) } } };
    expect(() => entryOfPackage({ packageArguments: [argument] })).toThrow(/too long/);
  });

  const remoteWith = (name: string) =>
    entryOf({ remotes: [{ type: "sse", url: "https://a.example/", headers: [{ name, value: "x" }] }] });
  test.each(
    [
      [
        "Host",
        "content-length",
        "Content-Type",
        "Transfer-Encoding",
        "Connection",
        "Mcp-Session-Id",
        "MCP-Protocol-Version",
      ],
      ["Mcp-Param-x", "Last-Event-ID", "Origin", "Proxy-Authorization", "__proto__", "Cookie", "Accept"],
    ].flat(),
  )("the header %s, which belongs to the transport", (name) => {
    expect(() => remoteWith(name)).toThrow(expect.objectContaining({ code: "SERVER_JSON_INVALID" }) as Error);
  });

  test("the headers of an API are not", () => {
    const names = ["Authorization", "X-Api-Key", "Api-Version", "Hosted-By"];
    for (const name of names) expect(remoteWith(name).headers).toEqual({ [name]: "x" });
  });

  test.each<[string, unknown]>([
    ["no object", []],
    ["no name", { packages: [NPM] }],
    ["a name that is a path", { name: "../../x/y", packages: [NPM] }],
    ["nothing to start", { name: "a.b/c" }],
    ["a remote without TLS", { name: "a.b/c", remotes: [{ type: "sse", url: "http://evil.example/" }] }],
    ["a remote with a user", { name: "a.b/c", remotes: [{ type: "sse", url: "https://acme.example@evil.example/" }] }],
    ["a remote with a fragment", { name: "a.b/c", remotes: [{ type: "sse", url: "http://localhost#@evil/" }] }],
    ["a remote that is a file", { name: "a.b/c", remotes: [{ type: "sse", url: "file:///etc/passwd" }] }],
  ])("%s", (_, document) => {
    expect(() => parseServerJson(document as JsonObject)).toThrow(
      expect.objectContaining({ code: "SERVER_JSON_INVALID" }) as Error,
    );
  });
});
