// @ts-check
// A worker of a NATS JetStream: runs job.json for each message, whose JSON is the input. Start as many as there is work for.
// Start: NATS_URL=localhost:4222 node jetstream.js
import { AckPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { nextStepOf, openProject } from "codemode";

const CONCURRENCY = 4;
const ACK_WAIT_MS = 30_000;
const MAX_DELIVERIES = 8;

const project = await openProject();
const script = { file: "job.json" };
const engine = await project.openEngine({ script, frozen: true, concurrency: CONCURRENCY, isolation: "compartment" });

const connection = await connect({ servers: process.env["NATS_URL"] ?? "localhost:4222" });
const manager = await jetstreamManager(connection);
await manager.streams.add({ name: "codemode", subjects: ["codemode.inputs", "codemode.results.*"] });
// A message of a worker that is killed is delivered again after `ack_wait`: at least once.
await manager.consumers.add("codemode", {
  ...{ durable_name: "workers", filter_subject: "codemode.inputs", ack_policy: AckPolicy.Explicit },
  ...{ ack_wait: ACK_WAIT_MS * 1e6, max_deliver: MAX_DELIVERIES },
});
const stream = jetstream(connection);
const consumer = await stream.consumers.get("codemode", "workers");
const messages = await consumer.consume({ max_messages: CONCURRENCY });

process.once("SIGTERM", () => messages.stop());

const work = async () => {
  for await (const message of messages) {
    const alive = setInterval(() => message.working(), ACK_WAIT_MS / 3);
    // The key is the same when a message comes again, so that servers that know it work once.
    const run = await engine.run(script, { input: message.json(), key: `codemode/${message.seq}` });
    clearInterval(alive);
    // Not where the run has made a call that may not be made twice.
    if (nextStepOf(run) === "retry") {
      message.nak(500 * 2 ** message.info.deliveryCount);
      continue;
    }
    const { result, diagnostics } = run;
    const hasFailed = diagnostics.some(({ severity }) => severity === "error");
    const answer = hasFailed ? { ok: false, diagnostics } : { ok: true, result };
    // The id of the message makes a second delivery one result.
    const id = String(message.seq);
    await stream.publish(`codemode.results.${id}`, JSON.stringify(answer), { msgID: id });
    message.ack();
  }
};
await work();
await connection.drain();
await engine.close();
