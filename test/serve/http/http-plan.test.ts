import { expect, test } from "vitest";
import { planHttp } from "../../../serve/http/http-plan.ts";
import { serveHttp } from "../../../serve/http/serve-http.ts";
import type { ServeEntry } from "../../../schemas/config/config-file.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import { startHttp } from "./start-http.ts";

function plan(address: string, serve: ServeEntry = {}, env: Record<string, string> = {}) {
  return planHttp(address, toConfig({ mcpServers: {}, serve }, "codemode.config.json", "/project"), env);
}

function refusal(...args: Parameters<typeof plan>): CodemodeError {
  try {
    plan(...args);
  } catch (error) {
    if (error instanceof CodemodeError) return error;
  }
  throw new Error("it was not refused");
}

test.each([
  ["8080", { host: "127.0.0.1", port: 8080 }],
  ["localhost:0", { host: "localhost", port: 0 }],
  ["[::1]:65535", { host: "::1", port: 65_535 }],
])("%s is an address", (text, address) => {
  expect(plan(text).address).toEqual(address);
});

test.each([
  "",
  "http",
  ":80",
  "localhost",
  "localhost:",
  "1:2:3",
  "::1:80",
  "65536",
  "-1",
  "a b:80",
  "http://localhost:80",
])("%j is no address", (text) => {
  expect(refusal(text)).toMatchObject({ code: "INVALID_OPTION", exitCode: 2 });
});

test.each(["0.0.0.0:8080", "[::]:8080", "192.168.1.2:8080", "agents.example.com:8080", "127.0.0.1.evil:80"])(
  "%s is refused without a token",
  (address) => {
    expect(refusal(address)).toMatchObject({ code: "TOKEN_NEEDED", exitCode: 2 });
    expect(plan(address, { token: "secret" }).clients).toHaveLength(1);
    expect(plan(address, { clients: { ada: { token: "secret" } } }).clients).toHaveLength(1);
  },
);

test.each(["0.0.0.0:8080", "[::]:8080"])("%s is no name to be called by", (address) => {
  const serve = { token: "secret", allowedHosts: ["agents.example.com"] };
  expect(plan(address, serve).allowedHosts).toEqual(["agents.example.com"]);
  expect(plan("192.168.1.2:8080", serve).allowedHosts).toEqual(["agents.example.com", "192.168.1.2"]);
});

test("a variable that is not set is named, with the client that needs it", () => {
  const error = refusal("0", { clients: { ada: { token: "${ADA_TOKEN}" } } });
  expect(error).toMatchObject({ code: "TOKEN_UNSET", exitCode: 2 });
  expect(error.message).toContain('"serve.clients.ada"');
  expect(error.message).toContain("ADA_TOKEN");
});

test("a token that is of no use is refused without being shown", () => {
  const same = refusal("0", { token: "${A}", clients: { ada: { token: "same-value" } } }, { A: "same-value" });
  expect(same.message).toBe('The token of "serve" is also the token of "serve.clients.ada".');
  expect(refusal("0", { token: "${A}" }, { A: "" }).message).toBe('The token of "serve" is empty.');
  expect(refusal("0", { token: "two words" }).message).not.toContain("two words");
});

test("tokens are kept as hashes only", () => {
  const made = plan("0", { token: "secret-value" });
  expect(JSON.stringify(made)).not.toContain("secret-value");
});

test("an address that is taken is one clear line", async () => {
  const { url } = await startHttp();
  const taken = serveHttp(
    plan(url.port),
    { makeServer: () => Promise.reject(new Error("never")), note: () => undefined, onFailure: () => undefined },
    new AbortController().signal,
  );
  await expect(taken).rejects.toMatchObject({
    code: "LISTEN_FAILED",
    message: `127.0.0.1:${url.port} is in use by another process.`,
  });
});
