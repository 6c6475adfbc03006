import type { Readable, Writable } from "node:stream";
import { decodeUtf8 } from "@codemode/runtime/connections/decode-text";
import { makeTurnWriter } from "@codemode/runtime/connections/wire/turn-writer";
import {
  FRAME_HEADER_BYTES,
  formatFrame,
  type HostHeader,
  MAX_LISTED,
  splitFrame,
  type BigInts,
  type FailureKind,
  type SandboxFrame,
  type ScriptError,
  type Truncation,
} from "../../../schemas/run/protocol.ts";
import type { LogLevel } from "../../../schemas/run/answer.ts";
import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import type { FrameBody, Sandbox, SandboxListener } from "./sandbox-engine.ts";

/** From this size on, the body of a frame stays as bytes: it may never have to be decoded. */
const LONG_FRAME_BYTES = 256 * 1024;

const NEWLINE = 0x0a;

/** Hands every frame that comes over a pipe to who listens then. */
export function readFrames(pipe: Readable, maxFrameBytes: () => number, listener: () => SandboxListener): void {
  readFrameTexts(
    pipe,
    maxFrameBytes,
    (text, body) => deliver(listener(), text, body),
    () => listener().onBrokenFrame("a frame is longer than allowed"),
  );
}

function deliver(listener: SandboxListener, text: string, body: Buffer | undefined): void {
  let frame;
  try {
    frame = parseSandboxFrame(text);
  } catch (error) {
    return listener.onBrokenFrame(error instanceof ProtocolError ? error.message : "a frame cannot be read");
  }
  listener.onFrame(frame, body);
}

/**
 * The text of a frame that is longer than this is never buffered.
 * @param onFrame receives the text of a frame; of a long one with a body the first line, and the body as bytes
 */
export function readFrameTexts(
  pipe: Readable,
  maxFrameBytes: () => number,
  onFrame: (text: string, body?: Buffer) => void,
  onTooLong: () => void,
): void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let wanted = FRAME_HEADER_BYTES;
  let isBroken = false;

  const readOne = (): boolean => {
    const buffered = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes);
    chunks = [buffered];
    const length = buffered.readUInt32LE(0);
    if (length > maxFrameBytes()) {
      isBroken = true;
      chunks = [];
      onTooLong();
      return false;
    }
    wanted = FRAME_HEADER_BYTES + length;
    if (bytes < wanted) return false;
    const frame = buffered.subarray(FRAME_HEADER_BYTES, wanted);
    const lineEnd = length < LONG_FRAME_BYTES ? -1 : frame.indexOf(NEWLINE);
    bytes -= wanted;
    chunks = bytes === 0 ? [] : [buffered.subarray(wanted)];
    wanted = FRAME_HEADER_BYTES;
    if (lineEnd < 0) onFrame(decodeUtf8(frame));
    else onFrame(decodeUtf8(frame.subarray(0, lineEnd)), frame.subarray(lineEnd + 1));
    return true;
  };

  pipe.on("data", (chunk: Buffer) => {
    if (isBroken) return;
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes >= wanted && readOne());
  });
}

export function printFrameBody(body: FrameBody): string {
  return typeof body === "string" ? body : `${body.before}${decodeUtf8(body.json)}${body.after}`;
}

/**
 * Makes what sends frames over a pipe; one that is closed takes none.
 * @param onSend called before each frame
 */
export function makeFrameSender(pipe: Writable, onSend: () => void): Sandbox["send"] {
  const write = makeTurnWriter(pipe);
  return (header, body, onSent) => {
    if (!pipe.writable) {
      if (onSent !== undefined) process.nextTick(onSent);
      return;
    }
    onSend();
    const parts = encodeFrame(header, body);
    const last = parts.length - 1;
    for (let index = 0; index <= last; index += 1) write(parts[index] as Buffer, index === last ? onSent : undefined);
  };
}

/** The bytes of a frame, in the parts that they are to be written in. */
export function encodeFrame(header: HostHeader, body: FrameBody): Buffer[] {
  if (typeof body === "string") return [encodeStart(formatFrame(header, body), 0)];
  const after = Buffer.from(body.after);
  return [encodeStart(formatFrame(header, body.before), body.json.length + after.length), body.json, after];
}

/** The length of a frame, and its text up to where so many bytes are still to come. */
function encodeStart(text: string, missingBytes: number): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + length);
  frame.writeUInt32LE(length + missingBytes, 0);
  frame.write(text, FRAME_HEADER_BYTES);
  return frame;
}

/** Says that the other end of the wire broke the protocol. The message never quotes what it sent. */
export class ProtocolError extends Error {
  override name = "ProtocolError";
}

/** Reads a frame that a sandbox sent, believing nothing. Throws a `ProtocolError`. */
export function parseSandboxFrame(text: string): SandboxFrame {
  let parts;
  try {
    parts = splitFrame(text);
  } catch {
    throw new ProtocolError("a frame's header is not JSON");
  }
  const { header, body } = parts;
  if (!isJsonObject(header)) throw new ProtocolError("a frame's header is not an object");
  switch (ownValue(header, "type")) {
    case "ready":
      return { type: "ready" };
    case "log":
      return {
        type: "log",
        level: readLevel(header),
        timeMs: readCount(header, "timeMs"),
        message: readString(header, "message"),
        truncated: ownValue(header, "truncated") === true,
      };
    case "call":
      return {
        type: "call",
        id: readCount(header, "id"),
        serverId: readString(header, "serverId"),
        toolName: readString(header, "toolName"),
        stack: readStack(header),
        body,
      };
    case "timer":
      return {
        type: "timer",
        id: readCount(header, "id"),
        delayMs: readCount(header, "delayMs"),
        setMs: readCount(header, "setMs"),
      };
    case "stopTimer":
      return { type: "stopTimer", id: readCount(header, "id") };
    case "idle":
      return { type: "idle", handled: readCount(header, "handled") };
    case "result":
      return {
        type: "result",
        truncations: readList(header, "truncations").map(toTruncation),
        ...readBigInts(header),
        unawaited: readList(header, "unawaited").map((item) => (typeof item === "string" ? item : "")),
        body,
      };
    case "reset":
      return { type: "reset", isClean: ownValue(header, "isClean") === true };
    case "failure":
      return { type: "failure", errors: readErrors(header) };
    default:
      throw new ProtocolError("a frame has an unknown type");
  }
}

const LEVELS: readonly JsonValue[] = ["debug", "log", "warn", "error"] satisfies LogLevel[];
const KINDS: readonly JsonValue[] = [
  "uncaught",
  "unhandled",
  "syntax",
  "never-settles",
  "unserializable",
] satisfies FailureKind[];
const UNITS: readonly JsonValue[] = ["characters", "items", "keys"] satisfies Truncation["unit"][];

/** Longer ones are none that a sandbox sends. */
const MAX_STACK = 2000;

function readStack(header: JsonObject): string | undefined {
  const stack = ownValue(header, "stack");
  return typeof stack === "string" ? stack.slice(0, MAX_STACK) : undefined;
}

function readString(header: JsonObject, key: string): string {
  const value = ownValue(header, key);
  if (typeof value !== "string") throw new ProtocolError(`a frame's "${key}" is not a string`);
  return value;
}

function readCount(header: JsonObject, key: string): number {
  const value = ownValue(header, key);
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw new ProtocolError(`a frame's "${key}" is not a whole number`);
  }
  return value;
}

function readLevel(header: JsonObject): LogLevel {
  const level = ownValue(header, "level") ?? null;
  if (!LEVELS.includes(level)) throw new ProtocolError("a log frame has an unknown level");
  return level as LogLevel;
}

function readList(header: JsonObject, key: string): JsonValue[] {
  const value = ownValue(header, key);
  if (!Array.isArray(value) || value.length > MAX_LISTED)
    throw new ProtocolError(`a frame's "${key}" is not a short list`);
  return value;
}

function readBigInts(header: JsonObject): { bigInts?: BigInts } {
  const value = ownValue(header, "bigInts");
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new ProtocolError('a frame\'s "bigInts" is not an object');
  const pointers = readList(value, "pointers");
  if (!pointers.every((pointer) => typeof pointer === "string")) {
    throw new ProtocolError("a pointer in a frame is not a string");
  }
  return { bigInts: { pointers, total: readCount(value, "total") } };
}

function readErrors(header: JsonObject): ScriptError[] {
  const errors = readList(header, "errors").map(toScriptError);
  if (errors.length === 0) throw new ProtocolError("a failure frame has no error");
  return errors;
}

function toScriptError(value: JsonValue): ScriptError {
  if (!isJsonObject(value)) throw new ProtocolError("an error in a frame is not an object");
  const kind = ownValue(value, "kind") ?? null;
  if (!KINDS.includes(kind)) throw new ProtocolError("an error in a frame is of an unknown kind");
  return {
    kind: kind as FailureKind,
    name: readString(value, "name"),
    message: readString(value, "message"),
    stack: readString(value, "stack"),
    hint: readString(value, "hint"),
  };
}

function toTruncation(value: JsonValue): Truncation {
  if (!isJsonObject(value)) throw new ProtocolError("a truncation in a frame is not an object");
  const unit = ownValue(value, "unit") ?? null;
  if (!UNITS.includes(unit)) throw new ProtocolError("a truncation in a frame has an unknown unit");
  return {
    pointer: readString(value, "pointer"),
    unit: unit as Truncation["unit"],
    kept: readCount(value, "kept"),
    total: readCount(value, "total"),
  };
}
