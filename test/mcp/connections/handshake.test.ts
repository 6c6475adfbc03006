import { describe, expect, it } from "vitest";
import { makeConnectionFailures } from "../../../runtime/mcp/client/connection-failures.ts";
import { shakeHands } from "../../../runtime/mcp/client/handshake.ts";
import { JsonRpcPeer } from "../../../runtime/mcp/client/wire/json-rpc-peer.ts";
import type { Delivery, MessageTransport } from "../../../runtime/mcp/client/wire/message-transport.ts";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";

const failures = makeConnectionFailures({
  ...{ id: "s", name: "s", transport: "stdio", command: "s", cwd: "/", args: [], env: {} },
  timeoutMs: 1,
});

type Answer = { result: JsonObject } | { error: JsonObject } | Omit<Extract<Delivery, { problem: string }>, "id">;

const INITIALIZED: Answer = { result: { protocolVersion: "2025-06-18", capabilities: {} } };
const DISCOVERED: Answer = { result: { supportedVersions: ["2026-07-28"], capabilities: { a: 1 }, instructions: 7 } };
const SILENT = new Promise<Answer>(() => undefined);
const unsupported = (...supported: JsonValue[]): Answer => ({
  error: { code: -32022, message: "no", data: { supported } },
});

/** Shakes hands with a server that gives these answers to the question for its era, one after the other; then it is silent. */
async function meet(
  answers: (Answer | Promise<Answer>)[],
  initialized: Answer | Promise<Answer> = INITIALIZED,
  kind: "stdio" | "http" = "stdio",
) {
  const sent: JsonObject[] = [];
  const transport: MessageTransport = {
    ...{ kind, ending: undefined, endedByServer: false },
    start: async () => undefined,
    close: async () => undefined,
    markReady: () => undefined,
    explainFailedStart: () => failures.startTimedOut(1, { stderr: "", printed: "" }),
    async send(message) {
      sent.push(message);
      const id = message["id"] as number | undefined;
      const answering = message["method"] === "server/discover" ? answers.shift() : initialized;
      if (id === undefined || answering === undefined) return;
      const deliver = (answer: Answer) =>
        transport.onmessage?.(
          "kind" in answer ? ({ ...answer, id } as Delivery) : { kind: "response", message: { id, ...answer } },
        );
      void Promise.resolve(answering).then(deliver);
    },
  };
  const peer = new JsonRpcPeer(transport, failures, { answer: async () => ({}), notified: () => undefined });
  const settings = { probeTimeoutMs: 50, timeoutMs: 200, roots: [] };
  const outcome = await shakeHands({ peer, transport, failures }, settings);
  return { outcome, methods: sent.map(({ method }) => method) };
}

describe("a server that is asked for its era", () => {
  it.each<[string, Answer[]]>([
    ["refuses the question", [{ error: { code: -32601, message: "unknown" } }]],
    ["answers with another result", [{ result: {} }]],
    ["offers other revisions", [{ result: { supportedVersions: ["2027-01-01"] } }]],
    ["answers with nothing usable", [{ kind: "broken", problem: "no result" }]],
    ["knows only older revisions", [unsupported("2025-11-25")]],
    ["does not say which revisions it knows", [{ error: { code: -32022, message: "no" } }]],
    ["keeps silent", []],
  ])("is old where it %s", async (_, answers) => {
    const { outcome, methods } = await meet(answers);
    expect(outcome).toMatchObject({ ok: true, handshake: { era: "legacy", protocolVersion: "2025-06-18" } });
    expect(methods).toEqual(["server/discover", "initialize", "notifications/initialized"]);
  });

  it("is modern where it offers the revision, also at the second time", async () => {
    const handshake = { era: "modern", protocolVersion: "2026-07-28", serverInfo: {}, capabilities: { a: 1 } };
    expect((await meet([DISCOVERED])).outcome).toEqual({ ok: true, handshake });
    const { outcome, methods } = await meet([unsupported("2026-07-28"), DISCOVERED]);
    expect(outcome).toEqual({ ok: true, handshake });
    expect(methods).toEqual(["server/discover", "server/discover"]);
  });

  it.each<[string, Answer[], string]>([
    ["refuses the revision that it knows", [unsupported("2026-07-28"), unsupported("2026-07-28")], "only 2026-07-28"],
    ["knows only later revisions", [unsupported(1, "2025-11-25", "2027-01-01")], "only 2025-11-25, 2027-01-01"],
  ])("is not understood where it %s, and the hint is to update", async (_, answers, known) => {
    const { outcome } = await meet(answers);
    const hint = `The server speaks ${known} of MCP: update codemode, or use an earlier version of the server.`;
    expect(outcome).toMatchObject({ ok: false, error: { kind: "rpc-error", code: -32022, hint }, probe: "answered" });
  });

  it("has no time over HTTP where it keeps silent", async () => {
    const { outcome } = await meet([], INITIALIZED, "http");
    expect(outcome).toMatchObject({ ok: false, error: { kind: "timeout" }, probe: "silence" });
  });

  it("is given up where its yes comes too late: it is to be asked with more patience", async () => {
    // sleeps: an answer that comes later than it is waited for
    const late = new Promise<Answer>((resolve) => setTimeout(() => resolve(DISCOVERED), 100));
    const { outcome, methods } = await meet([late], SILENT);
    expect(outcome).toMatchObject({ ok: false, probe: "late-yes" });
    expect(methods).toEqual(["server/discover", "initialize"]);
  });

  it("is refused for a revision that is unknown, or none", async () => {
    const { outcome } = await meet([], { result: { protocolVersion: "2024-01-01" } });
    expect(outcome).toMatchObject({
      error: { kind: "protocol", message: expect.stringContaining("version is not supported: 2024-01-01") },
    });
    expect((await meet([], { result: {} })).outcome).toMatchObject({ error: { kind: "protocol" } });
  });
});
