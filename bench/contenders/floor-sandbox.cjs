// The process of a floor that runs scripts: `floor-sandbox.cjs LEVEL`. It waits for a frame of its host, evaluates the text, and answers.
// It stands still while it waits, also in a script's call, whose value is there when the call returns.
const { isAscii } = require("node:buffer");
const { readSync, writeSync } = require("node:fs");
const { createContext, runInContext, runInThisContext } = require("node:vm");

const [level] = process.argv.slice(2);
const [IN, OUT] = [3, 4];
const HEADER_BYTES = 4;
let buffer = Buffer.allocUnsafe(64 * 1024);
let filled = 0;
let nextId = 0;

/** The next frame: its header, and the value of its body. */
function readFrame() {
  for (;;) {
    const end = HEADER_BYTES + (filled < HEADER_BYTES ? 0 : buffer.readUInt32LE(0));
    if (end > HEADER_BYTES && filled >= end) {
      const bytes = buffer.subarray(HEADER_BYTES, end);
      const text = bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
      buffer.copyWithin(0, end, filled);
      filled -= end;
      const lineEnd = text.indexOf("\n");
      return { header: JSON.parse(text.slice(0, lineEnd)), value: JSON.parse(text.slice(lineEnd + 1)) };
    }
    if (end > buffer.length) buffer = Buffer.concat([buffer.subarray(0, filled)], end);
    const count = readSync(IN, buffer, filled, buffer.length - filled, null);
    if (count === 0) process.exit(0);
    filled += count;
  }
}

function toFrame(header, value) {
  const text = `${JSON.stringify(header)}\n${JSON.stringify(value)}`;
  const frame = Buffer.allocUnsafe(HEADER_BYTES + Buffer.byteLength(text));
  frame.writeUInt32LE(frame.length - HEADER_BYTES, 0);
  frame.write(text, HEADER_BYTES);
  return frame;
}

function send(bytes) {
  for (let sent = 0; sent < bytes.length;) sent += writeSync(OUT, bytes, sent);
}

const toCall = (toolName, input) =>
  toFrame({ type: "call", id: (nextId += 1), serverId: "everything", toolName }, input);

/** What a script has: a call, and many of them at once. */
const endowments = {
  call(toolName, input) {
    send(toCall(toolName, input));
    return readFrame().value.value;
  },
  callAll(toolName, inputs) {
    send(Buffer.concat(inputs.map((input) => toCall(toolName, input))));
    return inputs.map(() => readFrame().value.value);
  },
};

Object.assign(globalThis, endowments);
const evaluateHere = (text) => runInThisContext(text);
const prepare = {
  process: () => evaluateHere,
  compartment: () => evaluateHere,
  /** A realm is ready before its script comes. */
  realm() {
    const context = createContext({ ...endowments });
    return (text) => runInContext(text, context);
  },
};

do {
  const evaluate = prepare[level]();
  const { value } = readFrame();
  send(toFrame({ type: "result" }, evaluate(value.code)));
} while (level !== "process");
