// Loaded into the server: answers every message with the bytes that are in use when there is no garbage.
import { setImmediate as turn } from "node:timers/promises";

process.on("message", async () => {
  // What the first collection finds dead may hold something that the next one frees.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send({ live: heapUsed + external });
});
// The server ends when its own work does.
process.channel.unref();
