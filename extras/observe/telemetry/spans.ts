import type { SpanAttribute } from "./attributes.ts";

export interface SpanDefinition {
  /** As people read it; what stands in braces differs. */
  name: string;
  kind: "SERVER" | "INTERNAL" | "CLIENT";
  of: string;
  attributes: readonly SpanAttribute[];
  events: { readonly [name: string]: readonly SpanAttribute[] };
}

/** All spans; each one is below the one before it. */
export const SPANS = {
  request: {
    name: "tools/call {tool}",
    kind: "SERVER",
    of: "a client's request to `codemode serve`, from its arrival to its answer",
    attributes: [
      "mcp.method.name",
      "gen_ai.operation.name",
      "gen_ai.tool.name",
      "jsonrpc.request.id",
      "mcp.session.id",
      "mcp.protocol.version",
      "network.transport",
      "network.protocol.name",
      "rpc.response.status_code",
      "error.type",
      "codemode.client",
    ],
    events: { "codemode.admitted": ["codemode.queue.wait"] },
  },
  run: {
    name: "codemode.run",
    kind: "INTERNAL",
    of: "one run of a script: bundling, review, sandbox",
    attributes: [
      "codemode.run.id",
      "codemode.run.origin",
      "codemode.client",
      "codemode.script.name",
      "codemode.run.key",
      "codemode.bundle.digest",
      "codemode.run.calls",
      "codemode.run.result.bytes",
      "codemode.run.log.bytes",
      "codemode.run.diagnostics",
      "error.type",
    ],
    events: {
      "codemode.bundled": [],
      "codemode.reviewed": ["codemode.review.verdict"],
      "codemode.script_started": [],
      "codemode.script_ended": [],
      "codemode.limit_hit": ["codemode.limit"],
    },
  },
  call: {
    name: "tools/call {tool}",
    kind: "CLIENT",
    of: "one tool call, including calls that the host refuses; without a script it has no parent `codemode.run`",
    attributes: [
      "mcp.method.name",
      "gen_ai.operation.name",
      "gen_ai.tool.name",
      "mcp.protocol.version",
      "network.transport",
      "network.protocol.name",
      "server.address",
      "server.port",
      "rpc.response.status_code",
      "error.type",
      "codemode.server.id",
      "codemode.run.id",
      "codemode.call.number",
      "codemode.call.outcome",
      "codemode.call.input.bytes",
      "codemode.call.result.bytes",
      "gen_ai.tool.call.arguments",
      "gen_ai.tool.call.result",
    ],
    events: {},
  },
} as const satisfies { [name: string]: SpanDefinition };
