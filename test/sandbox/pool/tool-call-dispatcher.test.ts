import { expect, test } from "vitest";
import type { Call, CallReply, HandleCall } from "../../../runtime/sandbox/pool/handle-call.ts";
import { DISCOVERY } from "../../../runtime/sandbox/pool/host-subjects.ts";
import { makeToolCallDispatcher } from "../../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import type { RunEvent } from "../../../schemas/run/events.ts";

const PAY = { serverId: "bank", toolName: "pay", inputJson: '{"a":1}' };

/** A dispatcher whose calls get what `handle` gives, with what was heard of it. */
function dispatch(handle: HandleCall) {
  const events: RunEvent[] = [];
  const replies: unknown[] = [];
  const dispatcher = makeToolCallDispatcher(handle, 10, (event) => void events.push(event));
  const make = (call = PAY) => dispatcher.accept(call, (body) => void replies.push(body));
  return { dispatcher, events, replies, make };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("calls are handled at once in their order, counted among all that is asked and among the calls of tools", async () => {
  const calls: Call[] = [];
  const { make } = dispatch((call) => {
    calls.push(call);
    return Promise.resolve({ ok: true, value: null });
  });
  make();
  make({ serverId: DISCOVERY, toolName: "listServers", inputJson: "{}" });
  make({ ...PAY, inputJson: "{bad" });
  expect(calls.map(({ position, number, input }) => [position, number, input])).toEqual([
    [1, 1, { a: 1 }],
    [2, undefined, {}],
    [3, 2, undefined],
  ]);
});

test.each<[string, CallReply, string, object]>([
  [
    "of an earlier attempt",
    { ok: true, value: 1, durationMs: 7000, isReplayed: true },
    '{"ok":true,"value":1}',
    { ok: true, durationMs: 7000 },
  ],
  [
    "whose call a person has changed",
    { ok: true, value: 1, content: ["a"], changed: { kind: "result" } },
    '{"ok":true,"value":1,"content":["a"],"changed":{"kind":"result"}}',
    { ok: true, changed: "result" },
  ],
  [
    "whose connection broke",
    { ok: false, error: { errorClass: "ToolCallError", message: "gone", hint: "wait" }, isBroken: true },
    '{"ok":false,"error":{"errorClass":"ToolCallError","message":"gone","hint":"wait"}}',
    { ok: false, error: "ToolCallError: the connection to the server broke" },
  ],
])(
  "a reply %s tells the script its value or its error alone, and the trace the rest",
  async (_, reply, sent, entry) => {
    const { make, replies, events, dispatcher } = dispatch(() => Promise.resolve(reply));
    make();
    await settled();
    expect(replies).toEqual([sent]);
    expect(dispatcher.trace()).toMatchObject([{ serverId: "bank", toolName: "pay", ...entry }]);
    const [, ended] = events;
    expect(ended).toMatchObject({ type: "call-ended", number: 1, entry });
    expect("isReplayed" in (ended ?? {})).toBe(reply.isReplayed === true);
  },
);

test("what goes wrong in the host is an error of the call", async () => {
  const { make, replies } = dispatch(() => Promise.reject(new Error("a secret of the host")));
  make();
  await settled();
  expect(replies).toEqual([expect.stringContaining("The host could not perform the call")]);
  expect(String(replies)).not.toContain("secret");
});
