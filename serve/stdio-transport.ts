import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { withoutNullMembers } from "../schemas/json/absent-members.ts";
import { withoutMark } from "../schemas/text/without-mark.ts";
import { isJsonObject, type JsonValue } from "../schemas/json/json.ts";

/** In UTF-16 units; a script of that size would be refused anyway. */
const MAX_MESSAGE_LENGTH = 10 * 1024 * 1024;

/**
 * JSON-RPC, one message a line. The SDK checks each message where it is taken, so that here it is only parsed; what is no JSON is passed over.
 * The end of the input ends nothing: what was asked before it is still answered.
 */
export function makeStdioTransport(input: Readable, output: Writable): Transport {
  let line = "";
  const read = (chunk: string): void => {
    const [end = "", ...begun] = chunk.split("\n");
    line += end;
    if (line.length > MAX_MESSAGE_LENGTH) return void transport.close();
    for (const next of begun) {
      const message = parseMessage(line);
      line = next;
      if (message !== undefined) transport.onmessage?.(message);
    }
  };
  const transport: Transport = {
    async start() {
      input.setEncoding("utf8").on("data", read);
      // Stays after the end: what is written then fails without a crash.
      output.on("error", () => void transport.close());
    },
    send: (message) => new Promise((resolve) => output.write(`${JSON.stringify(message)}\n`, () => resolve())),
    async close() {
      input.off("data", read).pause();
      transport.onclose?.();
    },
  };
  return transport;
}

function parseMessage(text: string): JSONRPCMessage | undefined {
  try {
    const message = JSON.parse(withoutMark(text)) as JsonValue;
    return (isJsonObject(message) ? withoutNullMembers(message) : message) as JSONRPCMessage;
  } catch {
    return undefined;
  }
}
