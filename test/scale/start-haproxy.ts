import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { endServer, startOnFreePort } from "./ports.ts";
import { makeTestFolder } from "../make-test-folder.ts";

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
  const folder = await makeTestFolder();
  const servers = ports.map((each) => `  server on-${each} 127.0.0.1:${each}`).join("\n");
  const file = join(folder, "haproxy.cfg");
  const { port, server } = await startOnFreePort((free) => {
    writeFileSync(file, `${SETTINGS}\nlisten mcp\n  bind 127.0.0.1:${free}\n${servers}\n`);
    return spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
  });
  onTestFinished(() => endServer(server, "SIGKILL"));
  return new URL(`http://127.0.0.1:${port}/mcp`);
}
