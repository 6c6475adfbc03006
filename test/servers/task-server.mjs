// An MCP server of 2025-11-25 whose tools are called as tasks. How each task goes on is the name of its tool. It writes what it is asked to a file.
// usage: task-server.mjs FILE
import { appendFileSync } from "node:fs";
import { answerLines } from "./answer-lines.mjs";

const [file] = process.argv.slice(2);
const tasks = new Map();
const text = (words) => ({ content: [{ type: "text", text: words }] });

const task = (taskId, status, more = {}) => ({
  ...{
    taskId,
    status,
    createdAt: "2026-01-01T00:00:00Z",
    lastUpdatedAt: "2026-01-01T00:00:00Z",
    ttl: null,
    pollInterval: 1,
  },
  ...more,
});

/** What `tasks/get` answers the nth time, by tool. */
const states = {
  long: (id, looks) => task(id, looks < 4 ? "working" : "completed"),
  "never-ends": (id) => task(id, "working"),
  "wrong-id": () => task("another", "completed"),
  "odd-status": (id) => task(id, "thinking"),
  "no-status": (id) => ({ taskId: id }),
  "cancels-itself": (id) => task(id, "cancelled"),
  "ends-twice": (id, looks) => task(id, looks % 2 === 1 ? "completed" : "working"),
  fails: (id) => task(id, "failed", { statusMessage: "broken" }),
  slow: (id) => task(id, "working", { pollInterval: 3_600_000 }),
  flood(id, looks) {
    const params = task(id, "working");
    const line = JSON.stringify({ jsonrpc: "2.0", method: "notifications/tasks/status", params });
    for (let count = 0; count < 2000; count += 1) console.log(line);
    return task(id, looks < 3 ? "working" : "completed");
  },
};

const created = {
  "no-id": () => ({ task: { status: "working" } }),
  "no-task": () => ({ later: true }),
  "at-once": () => text("at once"),
};

const note = (words) => appendFileSync(file, `${words}\n`);
const execution = { taskSupport: "required" };

answerLines({
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } },
    serverInfo: { name: "task-server", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: [
      ...[...Object.keys(states), ...Object.keys(created)].map((name) => ({
        ...{ name, inputSchema: { type: "object" }, execution },
      })),
      { name: "plain", inputSchema: { type: "object" }, execution: { taskSupport: "optional" } },
    ],
  }),
  "tools/call": ({ name, task: asked }) => {
    note(`call ${name} ${asked === undefined ? "plainly" : "as a task"}`);
    if (asked === undefined) return text("plain");
    if (name in created) return created[name]();
    const taskId = `task-${tasks.size}`;
    tasks.set(taskId, { name, looks: 0 });
    return { task: task(taskId, "working") };
  },
  "tasks/get": ({ taskId }) => {
    const known = tasks.get(taskId);
    known.looks += 1;
    return states[known.name](taskId, known.looks);
  },
  "tasks/result": ({ taskId }) => ({
    ...text(`result of ${tasks.get(taskId).name}`),
    isError: tasks.get(taskId).name === "fails",
  }),
  "tasks/cancel": ({ taskId }) => {
    note(`cancel ${taskId}`);
    return task(taskId, "cancelled");
  },
});
