import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { makeStdioTransport } from "../../serve/stdio-transport.ts";

/** A transport that has started, with what it delivers and writes. */
async function openTransport() {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = makeStdioTransport(input, output);
  const messages: unknown[] = [];
  let closed = 0;
  transport.onmessage = (message) => void messages.push(message);
  transport.onclose = () => void (closed += 1);
  await transport.start();
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { input, output, transport, messages, settled, closed: () => closed };
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" } as const;

test("messages may come in any pieces, and what is no JSON is passed over", async () => {
  const { input, messages, settled } = await openTransport();
  const text = `${JSON.stringify(ping)}\r\nno JSON\n\n${JSON.stringify({ ...ping, id: "ä" })}\n`;
  for (const byte of Buffer.from(text)) input.write(Buffer.of(byte));
  await settled();
  expect(messages).toEqual([ping, { ...ping, id: "ä" }]);
});

test("an optional member that is null is an absent one, but in what a client sends for a tool", async () => {
  const { input, messages, settled } = await openTransport();
  const sent = [
    {
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: {
        _meta: null,
        capabilities: { roots: null, elicitation: { url: null, form: {} } },
        clientInfo: { name: "c", version: "1", title: null },
      },
    },
    {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "t", arguments: { a: null }, _meta: { progressToken: null } },
    },
    { jsonrpc: "2.0", id: 3, method: "ping", params: null },
    { jsonrpc: "2.0", id: null, method: "ping" },
  ];
  input.write(sent.map((message) => `${JSON.stringify(message)}\n`).join(""));
  await settled();
  expect(messages).toEqual([
    {
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: { capabilities: { elicitation: { form: {} } }, clientInfo: { name: "c", version: "1" } },
    },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "t", arguments: { a: null }, _meta: {} } },
    { jsonrpc: "2.0", id: 3, method: "ping" },
    { jsonrpc: "2.0", id: null, method: "ping" },
  ]);
});

test("what was asked before the end of the input is answered", async () => {
  const { input, output, transport, settled, closed } = await openTransport();
  input.end();
  await settled();
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  expect(String(output.read())).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
  expect(closed()).toBe(0);
});

test("a message that is too long closes it", async () => {
  const { input, messages, settled, closed } = await openTransport();
  input.write(`${"x".repeat(11 * 1024 * 1024)}\n${JSON.stringify(ping)}\n`);
  await settled();
  expect({ messages, closed: closed() }).toEqual({ messages: [], closed: 1 });
});

test("an output that is gone closes it, and what is sent then is dropped", async () => {
  const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
  const transport = makeStdioTransport(new PassThrough(), output);
  const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
  await transport.start();
  await transport.send(ping);
  await closed;
  await expect(transport.send(ping)).resolves.toBeUndefined();
});

test("a byte order mark before a client's first message is no part of it", async () => {
  const { input, messages, settled } = await openTransport();
  input.write(`\uFEFF${JSON.stringify(ping)}\n`);
  await settled();
  expect(messages).toEqual([ping]);
});
