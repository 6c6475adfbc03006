import { formatFrame, type RunHeader } from "../../../schemas/run/protocol.ts";
import type { ToolReply } from "../../../schemas/lock/tools.ts";

/** Room for a call's header in its frame. */
const HEADER_BYTES = 8192;
/** Of a stack, in characters. */
const MAX_STACK = 2000;

export interface ToolCalls {
  start(header: Pick<RunHeader, "maxFrameBytes" | "firstCallId" | "notesPlaces">): void;
  /** The function behind `__codemode_call__`. */
  call(serverId: string, toolName: string, inputJson: string): Promise<string>;
  /** Settles the call with this id with the JSON text of a `ToolReply`. */
  answer(id: number, replyJson: string): void;
  /** The calls in flight, as `serverId/toolName`. */
  inFlight(): string[];
  count(): number;
}

/** Makes the only way out of the sandbox: texts go to the host, and a text comes back. */
export function makeToolCalls(send: (header: string, body: string) => void): ToolCalls {
  const waiting = new Map<number, { tool: string; resolve: (replyJson: string) => void }>();
  let nextId = 0;
  let maxInput = 0;
  let notesPlaces = false;
  return {
    start({ maxFrameBytes, firstCallId, notesPlaces: isNoted }) {
      nextId = firstCallId;
      notesPlaces = isNoted === true;
      // A UTF-16 unit takes at most three bytes.
      maxInput = Math.floor((maxFrameBytes - HEADER_BYTES) / 3);
    },
    call(serverId, toolName, inputJson) {
      return new Promise((resolve, reject) => {
        if (typeof serverId !== "string" || typeof toolName !== "string" || typeof inputJson !== "string") {
          return reject(
            new TypeError("__codemode_call__ takes three strings: the server, the tool and the input as JSON text"),
          );
        }
        if (inputJson.length > maxInput) return resolve(tooLong(inputJson.length, maxInput));
        const id = nextId;
        const header = { type: "call", id, serverId, toolName } as const;
        send(formatFrame(notesPlaces ? { ...header, stack: takeStack() } : header), inputJson);
        nextId += 1;
        waiting.set(id, { tool: `${serverId}/${toolName}`, resolve });
      });
    },
    answer(id, replyJson) {
      waiting.get(id)?.resolve(replyJson);
      waiting.delete(id);
    },
    inFlight: () => [...waiting.values()].map(({ tool }) => tool),
    count: () => waiting.size,
  };
}

function takeStack(): string {
  return String(new Error("place").stack).slice(0, MAX_STACK);
}

function tooLong(length: number, max: number): string {
  const reply: ToolReply = {
    ok: false,
    error: {
      errorClass: "ToolCallError",
      message: `The input of the call has ${length} characters; the limit is ${max}`,
      hint: "Send the data in parts.",
    },
  };
  return JSON.stringify(reply);
}
