import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { findFreePort, untilListening } from "./ports.ts";

/** The lines that docs/scaling.md gives. */
const SETTINGS = `
defaults
  mode http
  timeout connect 1s
  timeout client 2m
  timeout server 2m
  timeout check 5s
  option httpchk GET /ready
  option http-buffer-request
  option redispatch 1
  retries 3
  retry-on conn-failure 503
  balance leastconn
  default-server check inter 1s fastinter 250ms fall 3 rise 1
`;

/** Starts haproxy in front of servers on this machine, until the test ends; gives the address of MCP. */
export async function startHaproxy(ports: readonly number[]): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-haproxy-"));
  const port = await findFreePort();
  const servers = ports.map((each) => `  server on-${each} 127.0.0.1:${each}`).join("\n");
  const file = join(folder, "haproxy.cfg");
  await writeFile(file, `${SETTINGS}\nlisten mcp\n  bind 127.0.0.1:${port}\n${servers}\n`);
  const balancer = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
  onTestFinished(async () => {
    balancer.kill("SIGKILL");
    if (balancer.exitCode === null && balancer.signalCode === null) await once(balancer, "exit");
    await rm(folder, { recursive: true, force: true });
  });
  await untilListening(port);
  return new URL(`http://127.0.0.1:${port}/mcp`);
}
