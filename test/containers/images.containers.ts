import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { connectModern } from "../serve/http/start-http.ts";
import { listPlaceholders } from "../deploy/deployed-files.ts";
import { buildImages } from "./build-images.ts";
import { podman, podmanOk } from "./podman.ts";
import { LIMITS, startService } from "./start-service.ts";

beforeAll(buildImages);

interface Finding {
  subject: string;
  status: string;
  found: string;
}

const listFindings = (json: string): Finding[] =>
  (JSON.parse(json) as { sections: { findings: Finding[] }[] }).sections.flatMap(({ findings }) => findings);
const statusOf = (findings: readonly Finding[], wanted: string): string | undefined =>
  findings.find(({ subject }) => subject === wanted)?.status;

test("the project runs as compose.yaml confines it: no root, no rights, no writes outside of /tmp, no programs in it", async () => {
  const { url, token, exec } = await startService();
  const client = await connectModern(url, token);
  const code = `import { get_sum } from "@codemode/servers/everything"; export default [await get_sum({ a: 2, b: 3 }), await get_sum({ a: 4, b: 5 })];`;
  const { structuredContent } = await client.callTool({ name: "codemode.run", arguments: { code } });
  expect(structuredContent).toMatchObject({ result: ["The sum of 2 and 3 is 5.", "The sum of 4 and 5 is 9."] });

  const status = await exec("cat", "/proc/1/status");
  expect(status).toMatch(/^Uid:\s+65532\s/m);
  expect(status).toMatch(/^CapEff:\s+0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
  expect(status).toMatch(/^Seccomp:\s+2$/m);
  const tried = await exec(
    ...["sh", "-c", "touch /project/x /opt/codemode/x 2>&1; cp /bin/true /tmp/true && /tmp/true 2>&1; true"],
  );
  expect(tried.match(/Read-only file system/g)).toHaveLength(2);
  expect(tried).toContain("Permission denied");

  const findings = listFindings(await exec("codemode", "doctor", "--json"));
  expect(findings.filter(({ status: is }) => is === "warning" || is === "problem")).toEqual([]);
  for (const layer of ["permission model", "code from text", "environment", "no network", "namespaces"]) {
    expect([layer, statusOf(findings, layer)]).toEqual([layer, "ok"]);
  }
  for (const layer of ["no new privileges", "death with codemode", "limits of the kernel", "compile cache"]) {
    expect([layer, statusOf(findings, layer)]).toEqual([layer, "ok"]);
  }
});

test("bodies that are too long are refused without being kept", async () => {
  const { url, token, exec } = await startService();
  const readPeak = async (): Promise<number> => {
    const text = await exec("sh", "-c", "grep -h VmHWM /proc/[0-9]*/status");
    return Math.max(...[...text.matchAll(/(\d+) kB/g)].map(([, size]) => Number(size) / 1024));
  };
  const before = await readPeak();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const send = async (): Promise<number | undefined> =>
    (await fetch(url, { method: "POST", headers, body: "x".repeat(8_000_000) }).catch(() => undefined))?.status;
  const refused = await Promise.all(Array.from({ length: 40 }, send));
  expect(refused.filter((code) => code !== 413 && code !== undefined)).toEqual([]);
  expect(refused).toContain(413);
  expect((await readPeak()) - before).toBeLessThan(60);
});

test("at SIGTERM it is no longer ready, answers the run under way, and ends with 0", async () => {
  const { name, url, token } = await startService();
  const client = await connectModern(url, token);
  // sleeps: the container gets its signal meanwhile
  const code = `await new Promise((resolve) => setTimeout(resolve, 3000)); export default "answered";`;
  const running = client.callTool({ name: "codemode.run", arguments: { code } });
  // sleeps: until the run is under way in the container
  await delay(1000);
  await podmanOk("kill", "--signal=TERM", name);
  await expect.poll(async () => (await fetch(new URL("/ready", url))).status).toBe(503);
  expect((await fetch(new URL("/health", url))).status).toBe(200);
  expect((await running).structuredContent).toMatchObject({ result: "answered" });
  expect(await podmanOk("wait", name)).toBe("0");
});

test("without any mount the account of the image can write its cache", async () => {
  const words = ["run", "--rm", "--network=none", ...LIMITS, "--entrypoint=codemode", "localhost/codemode-project"];
  const { output } = await podman(...words, "doctor", "--json");
  expect(statusOf(listFindings(output), "compile cache")).toBe("ok");
});

test("the image has the client of the store, and ends where that is not there", async () => {
  const store = "postgres://127.0.0.1:1/none";
  const names = [...(await listPlaceholders("deploy/project/codemode.config.json")), "CODEMODE_STORE_KEY"];
  const secrets = names.map((name) => `--env=${name}=${randomBytes(32).toString("hex")}`);
  const words = ["run", "--rm", "--network=none", ...LIMITS, `--env=CODEMODE_STORE=${store}`, ...secrets];
  const { code, output } = await podman(...words, "localhost/codemode-project");
  expect([code, output]).toEqual([1, expect.stringContaining(`The store ${store} cannot be used`)]);
});
