import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { CLI, ECHO_SERVER, makeProject } from "./make-project.js";
import { measureProcesses } from "./process-memory.js";
import { readProcessorTime } from "./processor-time.js";

const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
};
const WARM_UP = 40;

/**
 * Runs scripts with one call over HTTP, some at a time, and gives the processor time of one in milliseconds and the memory of all processes of
 * `codemode serve` in megabytes. The client's own time is not counted.
 * @param {{ isolation: string, runs: number, concurrency: number, isNew?: boolean, store?: string }} way with a store each run has a key
 */
export async function measureOverHttp({ isolation, runs, concurrency, isNew = false, store }) {
  const shared = store === undefined ? {} : { serve: { store, storeKey: "k".repeat(32) } };
  const { folder, remove } = await makeProject({ everything: ECHO_SERVER }, { sandbox: { isolation }, ...shared });
  const child = spawn(process.execPath, [CLI, "serve", "--http", "0"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const url = await findAddress(child);
    let next = 0;
    const runUntil = async (end) => {
      while (next < end) {
        const number = (next += 1);
        const code = `import { echo } from "@codemode/servers/everything";\nexport default await echo({ message: "x" });\n`;
        const script = isNew ? `${code}// ${number}` : code;
        const given = { code: script, ...(store !== undefined && { key: `${process.pid}-${isolation}-${number}` }) };
        await ask(url, given);
      }
    };
    const together = (end) => Promise.all(Array.from({ length: concurrency }, () => runUntil(end)));
    await together(WARM_UP);
    const before = readProcessorTime(child.pid);
    await together(WARM_UP + runs);
    const cpuMs = (readProcessorTime(child.pid) - before) / runs;
    return { cpuMs, peakMb: measureProcesses(child.pid).reduce((sum, { pss }) => sum + pss, 0) };
  } finally {
    const ended = once(child, "close");
    child.kill("SIGINT");
    await ended;
    await remove();
  }
}

async function findAddress(child) {
  for await (const line of createInterface({ input: child.stderr })) {
    const found = /serves MCP at (http:[^\s"]+\/mcp)/.exec(line)?.[1];
    if (found !== undefined) {
      child.stderr.resume();
      return found;
    }
  }
  throw new Error("codemode serve has ended.");
}

async function ask(url, given) {
  const params = { name: "codemode.run", arguments: given, _meta: META };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
      ...{ "mcp-protocol-version": VERSION, "mcp-method": "tools/call", "mcp-name": params.name },
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const text = await response.text();
  if (!text.includes('"Echo: x"')) throw new Error(text.slice(0, 300));
}
