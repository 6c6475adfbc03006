import { spawn } from "node:child_process";

const NEW_LINE = 10;

/** Asks the server and reads nothing of what it answers: what is left of a time when this is taken from it is the client's own. */
export async function open({ server: { command, args } }) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  let onLine = () => {};
  child.stdout.on("data", (chunk) => chunk.at(-1) === NEW_LINE && onLine());
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = (method, params) =>
    new Promise((resolve) => {
      onLine = resolve;
      send({ id: 1, method, params });
    });
  const clientInfo = { name: "bench", version: "1.0.0" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  return {
    run: ({ bytes }) => ask("tools/call", { name: "rows", arguments: { bytes } }),
    close: async () => child.kill(),
  };
}
