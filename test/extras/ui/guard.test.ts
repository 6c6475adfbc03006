import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedUi, serveUi } from "../../../extras/ui/server/http/serve-ui.ts";
import type { Doorway } from "../../../extras/ui/server/project-door.ts";

let served: ServedUi;
let isProjectAsked = false;

/** Tells when a request has got as far as the project, which only our own page's may. */
async function openProject(): Promise<Doorway> {
  isProjectAsked = true;
  throw new Error("There is no project here.");
}

beforeAll(async () => {
  served = await serveUi(openProject, { port: 0, onFailure: () => undefined });
});
afterAll(() => served.close());

describe("the guard of the local page", () => {
  it.each<[string, { [header: string]: string | undefined }, number]>([
    ["without a token", { authorization: undefined }, 401],
    ["with a wrong token", { authorization: `Bearer ${"A".repeat(43)}` }, 401],
    ["with the beginning of the token", { authorization: "Bearer TOKEN_START" }, 401],
    ["with another kind of credential", { authorization: "Basic TOKEN_START" }, 401],
    ["for a foreign Host", { host: "attacker.example" }, 403],
    ["for a foreign Host with our port", { host: "attacker.example:PORT" }, 403],
    ["for our address with another port", { host: "127.0.0.1:1" }, 403],
    ["from a foreign Origin", { origin: "https://attacker.example" }, 403],
    ["from a page of another port of this machine", { origin: "http://127.0.0.1:1" }, 403],
    ["from a page without an origin", { origin: "null" }, 403],
    ["that a browser says is of another site", { "sec-fetch-site": "cross-site" }, 403],
    ["that a browser says is of another origin", { "sec-fetch-site": "same-site" }, 403],
    ["of a form", { "content-type": "text/plain" }, 415],
  ])("refuses a call %s", async (_case, headers, status) => {
    const answer = await send("/api/project", { headers });
    expect(answer).toMatchObject({ status, body: { error: { message: expect.any(String) } } });
    expect(isProjectAsked).toBe(false);
  });

  it("refuses every other method, and answers no preflight", async () => {
    for (const method of ["GET", "PUT", "OPTIONS"]) {
      const { status, headers } = await send("/api/project", { method });
      expect(status).toBe(405);
      expect(headers).not.toHaveProperty("access-control-allow-origin");
    }
  });

  it("serves the page's files to requests that name this machine, and no other file", async () => {
    const { status, headers } = await send("/", { method: "GET" });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    const policy = headers["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-(?:inline|eval)/);
    expect((await send("/", { method: "GET", headers: { host: "attacker.example" } })).status).toBe(403);
    expect((await send("/../package.json", { method: "GET" })).status).toBe(404);
    expect((await send("/%2e%2e/package.json", { method: "GET" })).status).toBe(404);
  });

  it("says no word of the token in any file", async () => {
    for (const path of ["/", "/page.js"]) {
      expect((await send(path, { method: "GET" })).text).not.toContain(served.url.hash.slice(1));
    }
  });

  it("lets our own page through", async () => {
    await expect(send("/api/project", {})).rejects.toThrow("socket hang up");
    expect(isProjectAsked).toBe(true);
  });

  it("listens on the loopback address alone", async () => {
    expect(served.url.hostname).toBe("127.0.0.1");
    expect(served.url.hash).toMatch(/^#[\w-]{43}$/);
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((address) => address?.internal === false && address.family === "IPv4");
    for (const other of others) {
      await expect(send("/", { method: "GET", address: other?.address ?? "" })).rejects.toThrow("ECONNREFUSED");
    }
  });
});

interface Sent {
  status: number | undefined;
  headers: { [name: string]: string | undefined };
  text: string;
  body: unknown;
}

interface Sending {
  method?: string;
  /** Added to those of our own page; an undefined one is left out. */
  headers?: { [name: string]: string | undefined };
  address?: string;
}

/** Sends what our own page would, but for what is given. */
function send(path: string, { method = "POST", headers = {}, address }: Sending): Promise<Sent> {
  const { hostname, port, host, hash } = served.url;
  const all = {
    host,
    origin: `http://${host}`,
    "sec-fetch-site": "same-origin",
    authorization: `Bearer ${hash.slice(1)}`,
    "content-type": "application/json",
    ...headers,
  };
  const written = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value.replace("PORT", port).replace("TOKEN_START", hash.slice(1, 20))] as const],
  );
  return new Promise((resolve, reject) => {
    const sending = request(
      { hostname: address ?? hostname, port, path, method, headers: Object.fromEntries(written), setHost: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () => {
          const isJson = response.headers["content-type"] === "application/json";
          resolve({
            status: response.statusCode,
            headers: response.headers as Sent["headers"],
            text,
            body: isJson ? (JSON.parse(text) as unknown) : undefined,
          });
        });
      },
    );
    sending.on("error", reject).end(method === "POST" ? "{}" : undefined);
  });
}
