import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { openMetrics, planMetrics } from "../../serve/http/serve-metrics.ts";
import type { ServeEntry } from "../../schemas/config/serve-settings.ts";
import { toConfig } from "../../schemas/config/to-config.ts";

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
    "--metrics: 0.0.0.0 can be reached over the network",
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

test("with a token they need it, and accept any Host", async () => {
  const url = await serve({ address: "127.0.0.1:0", token: "${METRICS_TOKEN}" }, { METRICS_TOKEN: "reader" });
  const answers = [
    await statusFor(url, {}),
    await statusFor(url, { authorization: "Bearer other" }),
    await statusFor(url, { authorization: "reader" }),
    await statusFor(url, { authorization: "Bearer reader", host: "pod.example" }),
  ];
  expect(answers).toEqual([401, 401, 401, 200]);
});
