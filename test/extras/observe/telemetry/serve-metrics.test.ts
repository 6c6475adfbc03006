import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { digestToken } from "../../../../serve/http/http-plan.ts";
import { openMetrics, planMetrics } from "../../../../serve/http/serve-metrics.ts";
import type { ServeEntry } from "../../../../schemas/config/config-file.ts";
import { toConfig } from "../../../../schemas/config/to-config.ts";

const plan = (serve: ServeEntry, env: Record<string, string> = {}) =>
  planMetrics(toConfig({ mcpServers: {}, serve }, "codemode.config.json", "/project"), env);

async function serve(metrics: ServeEntry["metrics"] & object, env: Record<string, string> = {}): Promise<URL> {
  const notes: string[] = [];
  onTestFinished(
    await openMetrics(
      plan({ metrics }, env),
      () => "text\n",
      (note) => notes.push(note),
    ),
  );
  return new URL(/http:\S+/.exec(notes[0] ?? "")?.[0] ?? "");
}

/** `fetch` does not permit setting the Host header. */
function statusFor(url: URL, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once("error", reject)
      .end();
  });
}

test("metrics are served only where the configuration says so, and beyond this machine only with a token", async () => {
  expect(plan({})).toBeUndefined();
  expect(() => plan({ metrics: { address: "0.0.0.0:9464" } })).toThrow(
    "--metrics: 0.0.0.0 can be reached over the network, and no token is configured.",
  );
  expect(() => plan({ metrics: { address: "no address" } })).toThrow("--metrics: write [HOST:]PORT");
  expect(() => plan({ metrics: { address: "0.0.0.0:9464", token: "${METRICS_TOKEN}" } })).toThrow("METRICS_TOKEN");
});

test("without a token no page can make its name resolve to them", async () => {
  const url = await serve({ address: "0" });
  expect(url.hostname).toBe("127.0.0.1");
  expect(await (await fetch(url)).text()).toBe("text\n");
  expect(await statusFor(url, { host: "attacker.example" })).toBe(403);
  expect(await statusFor(url, { host: "localhost:9464" })).toBe(200);
});

test("an address is a name to be called by where no token is needed, beside the configured ones", () => {
  const open = plan({ metrics: { address: "localhost:9464" }, allowedHosts: ["a.example"] });
  expect(open).toEqual({ address: { host: "localhost", port: 9464 }, allowedHosts: ["a.example", "localhost"] });
  const closed = plan({ metrics: { address: "0.0.0.0:9464", token: "reader" }, allowedHosts: ["a.example"] });
  expect(closed).toEqual({
    address: { host: "0.0.0.0", port: 9464 },
    allowedHosts: ["a.example"],
    tokenDigest: digestToken("reader"),
  });
});

test("where nothing is planned, or there is nothing to print, nothing listens", async () => {
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  for (const close of [
    await openMetrics(undefined, () => "text\n", note),
    await openMetrics(plan({ metrics: { address: "0" } }), undefined, note),
  ])
    await close();
  expect(notes).toEqual([]);
});

test("an address that is taken is said with the option, and what was opened ends", async () => {
  const print = () => "text\n";
  const notes: string[] = [];
  const close = await openMetrics(plan({ metrics: { address: "0" } }), print, (text) => notes.push(text));
  const { port, origin } = new URL(/http:\S+/.exec(notes[0] ?? "")?.[0] ?? "");
  const again = openMetrics(plan({ metrics: { address: port } }), print, (text) => notes.push(text));
  await expect(again).rejects.toMatchObject({
    code: "LISTEN_FAILED",
    hint: expect.stringContaining("--metrics [HOST:]PORT"),
  });
  expect(notes).toEqual([`codemode serves metrics at ${origin}/metrics`]);
  await close();
  await expect(fetch(`${origin}/metrics`)).rejects.toThrow("fetch failed");
});

test("they are text for Prometheus at one path, for those who read", async () => {
  const url = await serve({ address: "0" });
  const { status, headers } = await fetch(url);
  expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
    "no-store",
  ]);
  const statusOf = async (path: string, method = "GET") => {
    const answer = await fetch(new URL(path, url), { method });
    return [answer.status, await answer.text(), answer.headers.get("www-authenticate")];
  };
  expect(await statusOf("/metrics?name=calls")).toEqual([200, "text\n", null]);
  expect(await statusOf("/metrics", "HEAD")).toEqual([200, "", null]);
  expect(await statusOf("/metrics", "POST")).toEqual([405, "", null]);
  for (const path of ["/", "/metrics/", "/mcp"]) expect(await statusOf(path)).toEqual([404, "", null]);
});

test("a reader without a token does not learn their path, but what is needed", async () => {
  const url = await serve({ address: "0", token: "reader" });
  for (const path of ["/metrics", "/"]) {
    const { status, headers } = await fetch(new URL(path, url));
    expect([status, headers.get("www-authenticate"), headers.get("content-length")]).toEqual([401, "Bearer", "0"]);
  }
  expect(await statusFor(new URL("/", url), { authorization: "Bearer reader" })).toBe(404);
});

test("with a token readers need it, and any Host is accepted", async () => {
  const url = await serve({ address: "127.0.0.1:0", token: "${METRICS_TOKEN}" }, { METRICS_TOKEN: "reader" });
  const answers = [
    await statusFor(url, {}),
    await statusFor(url, { authorization: "Bearer other" }),
    await statusFor(url, { authorization: "reader" }),
    await statusFor(url, { authorization: "Bearer reader", host: "pod.example" }),
  ];
  expect(answers).toEqual([401, 401, 401, 200]);
});
