import { expect, test } from "vitest";
import { VERSION } from "../../../schemas/version.ts";
import { printServerCard } from "../../../serve/http/answer-request.ts";
import { sendRaw } from "./send-raw.ts";
import { startHttp } from "./start-http.ts";

test("a client reads without a token who serves here, and that a token is needed", async () => {
  const { origin } = await startHttp({ token: "${SERVED}" }, {}, "0", { SERVED: "a-long-enough-token-of-a-client" });
  const path = "/mcp/server-card";
  const { status, headers, text } = await sendRaw(origin, { path });
  expect([status, headers["content-type"]]).toEqual([200, "application/mcp-server-card+json"]);
  const card = JSON.parse(text) as Record<string, unknown>;
  expect(card).toMatchObject({
    $schema: "https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json",
    name: "localhost/codemode",
    version: VERSION,
    remotes: [{ type: "streamable-http", url: `${origin}/mcp`, headers: [{ name: "Authorization" }] }],
  });
  expect(text).not.toContain("a-long-enough-token");
  expect(await sendRaw(origin, { path, method: "POST" })).toMatchObject({ status: 405 });
  expect(await sendRaw(origin, { path, headers: { host: "evil.example" } })).toMatchObject({ status: 403 });
});

test("behind a proxy it has the name and the scheme of the outside", async () => {
  const card = (host: string, scheme: "http" | "https") =>
    printServerCard(host, scheme, false).json() as Promise<{
      name: string;
      remotes: object[];
    }>;
  expect(await card("tools.example.com", "https")).toMatchObject({
    name: "com.example.tools/codemode",
    remotes: [{ url: "https://tools.example.com/mcp" }],
  });
  expect((await card("[::1]:80", "http")).name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect((await card("localhost:80", "http")).remotes[0]).not.toHaveProperty("headers");
});
