import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEchoHttp } from "../servers/echo-http.mjs";
import { makeProject, runCodemode } from "./run-codemode.ts";

/** A registry on loopback with one server, which really answers, one that was deleted, and one under a wrong name. */
async function startRegistry(url: string): Promise<{ base: string; asked: string[] }> {
  const asked: string[] = [];
  const listed = { name: "io.github.acme/echo", version: "1.0.0", remotes: [{ type: "streamable-http", url }] };
  const status = { "io.modelcontextprotocol.registry/official": { status: "deleted" } };
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const [, name, version] = /^\/v0\.1\/servers\/([^/]*)\/versions\/([^/]*)$/.exec(request.url ?? "") ?? [];
    if (version === "moved") return response.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
    if (name === undefined) return response.writeHead(404).end();
    return response.end(JSON.stringify({ server: listed, _meta: version === "0.1.0" ? status : {} }));
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  onTestFinished(() => new Promise<void>((settle) => void server.close(() => settle())));
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test("add takes a name of the MCP registry, or a server.json, and adds it like a server that is typed", async () => {
  const echo = await startEchoHttp();
  onTestFinished(() => echo.close());
  const { base, asked } = await startRegistry(echo.url);
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  const add = (...words: string[]) =>
    runCodemode(["add", ...words], { cwd, env: { CODEMODE_MCP_REGISTRY: `${base}/` } });

  const added = await add("io.github.acme/echo");
  expect(added).toMatchObject({ code: 0, stdout: "" });
  expect(added.stderr).toContain(`Found: io.github.acme/echo\nConnecting to: ${echo.url}\n`);
  expect(asked).toEqual(["/v0.1/servers/io.github.acme%2Fecho/versions/latest"]);
  const config = JSON.parse(await readFile(join(cwd, "codemode.config.json"), "utf8")) as object;
  expect(config).toEqual({ mcpServers: { echo: { type: "http", url: echo.url } } });
  expect(await readFile(join(cwd, "codemode.lock.json"), "utf8")).toContain('"echo": {');

  const secret = { name: "X-Key", isRequired: true, isSecret: true };
  const remotes = [{ type: "streamable-http", url: echo.url, headers: [secret] }];
  await writeFile(join(cwd, "server.json"), JSON.stringify({ name: "io.github.acme/echo", remotes }));
  const unset = await add("mine", "--from", "server.json");
  expect(unset).toMatchObject({ code: 2, stderr: expect.stringContaining("X_KEY") as string });

  for (const [words, code, says] of [
    [["io.github.acme/other"], 2, "the registry answered with another server, io.github.acme/echo"],
    [["io.github.acme/echo@0.1.0"], 1, "it was deleted from the registry"],
    [["io.github.acme/echo@moved"], 1, "it does not answer, or redirects"],
    [["x", "--from", "server.json", "--url", echo.url], 2, "--from"],
  ] as const) {
    expect(await add(...words)).toMatchObject({ code, stderr: expect.stringContaining(says) as string });
  }
});
