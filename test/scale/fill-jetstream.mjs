// Fills the stream of examples/workers/jetstream.js, and ends when there is a result for each message.
// usage: NATS_URL=… fill-jetstream.mjs MESSAGES
import { setTimeout as delay } from "node:timers/promises";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

const total = Number(process.argv[2]);
const connection = await connect({ servers: process.env.NATS_URL });
const manager = await jetstreamManager(connection);
await manager.streams.add({ name: "codemode", subjects: ["codemode.inputs", "codemode.results.*"] });
const stream = jetstream(connection);
for (let a = 1; a <= total; a += 1) await stream.publish("codemode.inputs", JSON.stringify({ a }));
for (let done = 0; done < total;) {
  // sleeps: between two looks at a queue
  await delay(200);
  const { state } = await manager.streams.info("codemode", { subjects_filter: "codemode.results.*" });
  done = Object.keys(state.subjects ?? {}).length;
}
await connection.drain();
