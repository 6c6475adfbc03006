import { request } from "node:http";
import { expect, test } from "vitest";
import { INITIALIZE, sendRaw } from "./send-raw.ts";
import { startHttp } from "./start-http.ts";

const MEBIBYTE = 1024 * 1024;
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** An opening of so many bytes. */
function bodyOf(bytes: number): string {
  const { params } = INITIALIZE;
  const withName = (name: string) =>
    JSON.stringify({ ...INITIALIZE, params: { ...params, clientInfo: { name, version: "1" } } });
  return withName("x".repeat(bytes - withName("").length));
}

test.each([{}, { "transfer-encoding": "chunked" }] as Record<string, string>[])(
  "a body may have four megabytes and no byte more: %j",
  async (extra) => {
    const { origin } = await startHttp();
    const post = (bytes: number) =>
      sendRaw(origin, { method: "POST", headers: { ...HEADERS, ...extra }, body: bodyOf(bytes) });
    expect((await post(4 * MEBIBYTE)).status).toBe(200);
    const refused = await post(4 * MEBIBYTE + 1);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      413,
      {
        jsonrpc: "2.0",
        error: { code: -32_000, message: "The body of a request is limited to 4194304 bytes" },
        id: null,
      },
    ]);
  },
);

test("a body that is no JSON is refused with the code of JSON-RPC, and leaves the connection open", async () => {
  const { origin } = await startHttp();
  const refused = await sendRaw(origin, {
    method: "POST",
    headers: { ...HEADERS, connection: "keep-alive" },
    body: "{",
  });
  expect([refused.status, refused.headers["connection"]]).toEqual([400, "keep-alive"]);
  expect(JSON.parse(refused.text)).toMatchObject({ error: { code: -32_700 } });
});

test("a body that is said to have 32 megabytes leaves the connection open", async () => {
  const { origin } = await startHttp();
  const answered = await new Promise<[number | undefined, string | undefined]>((settle, fail) => {
    const headers = { ...HEADERS, "content-length": 32 * MEBIBYTE, connection: "keep-alive" };
    const outgoing = request(`${origin}/mcp`, { method: "POST", headers, agent: false }, (incoming) => {
      settle([incoming.statusCode, incoming.headers.connection]);
      outgoing.destroy();
    });
    outgoing.once("error", fail).flushHeaders();
  });
  expect(answered).toEqual([413, "keep-alive"]);
});

test("a mistake inside is said with the code of JSON-RPC, and nothing of it", async () => {
  const { origin } = await startHttp({}, { makeServer: () => Promise.reject(new Error("the disk is on fire")) });
  const failed = await sendRaw(origin, { method: "POST", headers: HEADERS, body: JSON.stringify(INITIALIZE) });
  expect([failed.status, JSON.parse(failed.text)]).toEqual([
    500,
    { jsonrpc: "2.0", error: { code: -32_603, message: "Internal error" }, id: null },
  ]);
});
