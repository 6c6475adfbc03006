// An MCP server over stdio that does what servers must not do. Arguments name the misbehaviours of the process and of
// its list; each tool misbehaves as its name says. It appends its process id, and its children's, to $PID_FILE.

import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { audiences, oddTools, unusableEntries } from "./hostile-tools.mjs";
import { toolCalls } from "./misbehaving-calls.mjs";

const habits = new Set(process.argv.slice(2));
const recordPid = (pid) => appendFileSync(process.env.PID_FILE, `${pid}\n`);
const write = (text) => process.stdout.write(`${text}\n`);
const send = (message) => write(JSON.stringify({ jsonrpc: "2.0", ...message }));
const tools = (...names) => names.map((name) => ({ name, inputSchema: { type: "object" } }));

recordPid(process.pid);

if (habits.has("end-like-npm")) {
  process.stderr.write(
    "npm error code E404\nnpm error 404 Not Found - GET https://registry.test/@absent%2fx - Not found\nnpm error 404\n" +
      "npm error 404  '@absent/x@*' is not in this registry.\n" +
      "npm error A complete log of this run can be found in: /home/me/.npm/_logs/debug-0.log\n",
  );
  process.exit(1);
}
if (habits.has("exit-at-start")) {
  process.stderr.write(`\u001b[31mfirst line\u001b[0m\ncannot start: token ${process.env.TOKEN} is not valid\u0007\n`);
  process.exit(7);
}
if (habits.has("flood-stderr")) {
  for (let line = 0; line < 20_000; line += 1) process.stderr.write(`${line} ${"noise ".repeat(40)}\n`);
}
if (habits.has("ignore-shutdown")) {
  process.on("SIGTERM", () => undefined);
  setInterval(() => undefined, 1_000);
}
if (habits.has("grandchild")) {
  const code = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000); console.log("ready")';
  const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  recordPid(child.pid);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.unref();
}
if (habits.has("garbage")) {
  process.stdout.write(
    'Starting up v1.0 ...\n\n\u001b[2J\n{"half": \nnull\n42\n"text"\n[]\n[1,null]\n{}\n\u0000\u0001\n',
  );
}

const lists = {
  odd: () => ({ tools: oddTools }),
  "all-calls": () => ({ tools: tools(...Object.keys(toolCalls)) }),
  unusable: () => ({ tools: unusableEntries }),
  audiences: () => ({ tools: audiences }),
  "no-array": () => ({ tools: { 0: "x" } }),
  pages: (cursor = "0") => ({
    tools: tools(`tool-${cursor}`),
    ...(cursor === "4" ? {} : { nextCursor: `${+cursor + 1}` }),
  }),
};

const answer = {
  "server/discover"(id) {
    if (habits.has("exit-at-discover")) process.exit(1);
    if (!habits.has("silent-at-discover")) send({ id, error: { code: -32601, message: "Method not found" } });
  },
  initialize(id, params) {
    if (habits.has("hang-at-initialize")) return process.stderr.write("waiting for a login\n");
    if (habits.has("refuse-initialize")) return send({ id, error: { code: -32000, message: "not today" } });
    if (habits.has("nonsense-at-initialize")) return send({ id, result: { hello: "world" } });
    return send({
      id,
      result: {
        protocolVersion: habits.has("old-version")
          ? "2024-11-05"
          : habits.has("future-version")
            ? "2099-01-01"
            : params.protocolVersion,
        capabilities: habits.has("no-tools")
          ? { vendor: { x: 1 } }
          : { tools: { listChanged: true }, vendor: { x: 1 } },
        serverInfo: { name: "misbehaving", version: "1", vendor: "kept" },
        instructions: JSON.stringify(params.capabilities),
      },
    });
  },
  "tools/list"(id, params) {
    if (habits.has("no-tools")) return send({ id, error: { code: -32601, message: "Method not found" } });
    if (habits.has("hang-at-list")) return undefined;
    if (habits.has("refuse-list")) return send({ id, error: { code: -32603, message: "set ACCESS_TOKEN first" } });
    const [name] = Object.keys(lists).filter((list) => habits.has(list));
    return send({ id, result: lists[name ?? "odd"](params?.cursor) });
  },
  "tools/call"(id, params) {
    return toolCalls[params.name](id, params, {
      send,
      write,
      received,
      stopListening: () => lines.pause(),
      listenAgain: () => lines.resume(),
    });
  },
};

/** Everything that arrived, for the tools that tell of it. */
const received = [];

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  received.push(message);
  answer[message.method]?.(message.id, message.params ?? {});
});
lines.on("close", () => {
  if (!habits.has("ignore-shutdown")) process.exit(0);
});
