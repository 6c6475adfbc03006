import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { decode, readFrames, readLines, writeFrame, writeSoon } from "./floor-frames.js";
import { floorScript } from "./floor-script.js";

const SANDBOX = fileURLToPath(new URL("floor-sandbox.cjs", import.meta.url));
/** Of a longer answer the value stays bytes on its way to the sandbox, as with codemode. */
const LONG_BYTES = 256 * 1024;
const CONTENT = Buffer.from('"structuredContent":');
const AFTER_CONTENT = '},"jsonrpc"';

/**
 * The least that a level of isolation can cost: a host, a sandbox process that waits, and the same server, with frames of the same shape between
 * them. Nothing is checked, limited, logged or confined.
 */
export async function open({ server, isolation, poolSize = 1 }) {
  const mcp = await startServer(server);
  /** Sandboxes that wait for a run, and runs that wait for a sandbox. */
  const idle = [];
  const queue = [];
  const children = new Set();
  const give = (sandbox) => {
    const run = queue.shift();
    if (run === undefined) idle.push(sandbox);
    else sandbox.start(run);
  };
  const add = () => {
    const sandbox = startSandbox(isolation, mcp, give, () => setImmediate(add));
    children.add(sandbox.child);
    sandbox.child.once("exit", () => children.delete(sandbox.child));
    give(sandbox);
  };
  for (let count = 0; count < poolSize; count += 1) add();
  return {
    run: (work) =>
      new Promise((resolve) => {
        const run = { code: floorScript(work), resolve };
        const sandbox = idle.shift();
        if (sandbox === undefined) queue.push(run);
        else sandbox.start(run);
      }),
    /** Processor time of a child counts once it has been waited for. */
    async close() {
      const all = [mcp.child, ...children];
      for (const child of all) child.kill();
      await Promise.all(all.map((child) => once(child, "exit")));
    },
  };
}

/** @param onFree a sandbox that can take another run; `onSpent` is called for one that cannot, where each run has a process of its own */
function startSandbox(isolation, mcp, onFree, onSpent) {
  const child = spawn(process.execPath, [SANDBOX, isolation], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const [, , , input, output] = child.stdio;
  let resolve;
  const sandbox = {
    child,
    start(run) {
      ({ resolve } = run);
      writeFrame(input, { type: "run" }, [JSON.stringify({ code: run.code, input: null })]);
    },
  };
  readFrames(output, (header, body) => {
    if (header.type === "call") {
      const { id, toolName } = header;
      return mcp.call(toolName, JSON.parse(decode(body)), (value) =>
        writeFrame(input, { type: "reply", id }, ['{"ok":true,"value":', value, "}"]),
      );
    }
    resolve(JSON.parse(decode(body)));
    return isolation === "process" ? onSpent() : onFree(sandbox);
  });
  return sandbox;
}

async function startServer({ command, args }) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map();
  let nextId = 0;
  const send = (message) => writeSoon(child.stdin, `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = (method, params, onAnswer) => {
    nextId += 1;
    waiting.set(nextId, onAnswer);
    send({ id: nextId, method, params });
  };
  readLines(child.stdout, (line) => {
    const { id, value } = line.length > LONG_BYTES ? parseLong(line) : parseShort(line);
    const onAnswer = waiting.get(id);
    waiting.delete(id);
    onAnswer?.(value);
  });
  const clientInfo = { name: "bench", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  await Promise.race([new Promise((resolve) => ask("initialize", params, resolve)), once(child, "exit")]);
  if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
  send({ method: "notifications/initialized" });
  return { child, call: (name, input, onAnswer) => ask("tools/call", { name, arguments: input }, onAnswer) };
}

/** The id of an answer, and the JSON text of its value. */
function parseShort(line) {
  const { id, result } = JSON.parse(decode(line));
  return { id, value: JSON.stringify(result?.structuredContent ?? result?.content?.[0]?.text ?? null) };
}

/** The same without parsing the value, as the SDK of the server prints an answer. */
function parseLong(line) {
  const start = line.indexOf(CONTENT) + CONTENT.length;
  const end = line.lastIndexOf(AFTER_CONTENT);
  const { id } = JSON.parse(`${decode(line.subarray(0, start))}null${decode(line.subarray(end))}`);
  return { id, value: line.subarray(start, end) };
}
