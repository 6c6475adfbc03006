// Shows: a server's package in plain Node, without the sandbox: `node examples/plain-node/memory-report.js`.
//
// The package is what `codemode generate` made (`@codemode/servers/memory`); one that `codemode pack` made is used in the same
// way, under its own name. The server is started on the first call, and nothing is left when the program ends.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "@codemode/runtime/connect";
import { SchemaValidationError } from "@codemode/runtime/errors";
import { create_entities, read_graph } from "@codemode/servers/memory";

// Without `connect` the nearest codemode.config.json says how to start the server. Here it gets a memory of its own.
const folder = await mkdtemp(join(tmpdir(), "memory-report-"));
const server = {
  command: process.execPath,
  args: ["node_modules/@modelcontextprotocol/server-memory/dist/index.js"],
  env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
};
const connection = await connect({ servers: { memory: server }, drift: "refuse" });

try {
  await create_entities({ entities: [{ name: "Ada", entityType: "person", observations: ["likes tea"] }] });
  const { entities } = await read_graph();
  console.log(entities.map(({ name, observations }) => `${name}: ${observations.join(", ")}`).join("\n"));
  assert.deepEqual(entities, [{ name: "Ada", entityType: "person", observations: ["likes tea"] }]);

  // The same types in an editor, the same checks before anything is sent, the same classes of errors.
  await assert.rejects(() => create_entities({}), SchemaValidationError);
} finally {
  await connection.close();
  await rm(folder, { recursive: true });
}
