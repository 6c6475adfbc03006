import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { makeProject } from "../suite/make-project.js";
import { readProcessorTime } from "../suite/processor-time.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Starts `codemode serve --http` in a project of its own with these settings of `serve`. */
export async function startServer(serve) {
  const mcpServers = { nonce: { command: process.execPath, args: [here("nonce-server.mjs")] } };
  // Locked, because else the first answer says that the server was not.
  const { folder, remove } = await makeProject(mcpServers, { serve });
  const flags = ["--expose-gc", "--import", new URL("report-live.js", import.meta.url).href];
  const child = spawn(process.execPath, [...flags, here("../../dist/cli/main.js"), "serve", "--trust", "--http", "0"], {
    cwd: folder,
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stderr });
  let runs = [];
  const url = await new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      const found = /http:[^\s"]+/.exec(line)?.[0];
      const run = parseRun(line);
      if (run !== undefined) runs.push(run);
      if (found !== undefined) resolve(new URL(found));
      // That clients are turned away is counted by the clients.
      else if (!/"level":"(info|warn)"/.test(line)) console.error(line);
    });
    void closed.then(([code]) => reject(new Error(`codemode ended with ${code}`)));
  });
  return {
    url,
    measure: () => measure(child.pid, Number(url.port)),
    /** Of the server and everything it has started, in milliseconds. */
    readProcessorTime: () => readProcessorTime(child.pid),
    /** The runs that have left the queue and ended since the last question, with the milliseconds from the one to the other. */
    takeRuns() {
      const taken = runs;
      runs = [];
      return taken;
    },
    /** Collects the garbage, and gives the bytes that are in use then. */
    async measureLive() {
      child.send("live");
      const [{ live }] = await once(child, "message");
      return live;
    },
    /** Ends it as a service manager does, and gives the exit code. */
    async stop() {
      child.kill("SIGTERM");
      const [code] = await closed;
      await remove();
      return code;
    },
  };
}

/** A line of the log about a run that has ended, with its result or without. */
function parseRun(line) {
  if (!line.includes('"msg":"run ended: ')) return undefined;
  const { ok, durationMs } = JSON.parse(line);
  return { ok, durationMs };
}

/** Resident bytes, TCP connections of clients, other descriptors, and child processes. */
function measure(pid, port) {
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  // Clients keep idle connections for a while, independent of the server.
  const connections = countConnections(port);
  return {
    rss: Number(rss) * 1024,
    connections,
    descriptors: readdirSync(`/proc/${pid}/fd`).length - connections,
    children: children.length,
  };
}

/** Established connections that were made to a port; see proc(5) on the columns. */
function countConnections(port) {
  const rows = readFileSync("/proc/net/tcp", "utf8").trim().split("\n").slice(1);
  const local = port.toString(16).toUpperCase().padStart(4, "0");
  return rows.filter((row) => {
    const [, address, , state] = row.trim().split(/\s+/);
    return state === "01" && address.endsWith(`:${local}`);
  }).length;
}
