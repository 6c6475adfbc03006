import { createHash, randomUUID } from "node:crypto";
import { followObject } from "../document/pointer.ts";
import { isObject, type JsonObject, textAt } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";
import { type Operation, type Parameter, toPlaceKey } from "../operations.ts";
import { isHeaderName } from "./credentials.ts";

/** The header by which an API knows a request that comes again. */
export interface KeyHeader {
  name: string;
  /** As the document has it; absent where a person has named it. */
  parameter?: Parameter | undefined;
  /** Of its value; empty where the document says nothing. */
  schema: JsonObject;
}

/** As documents call it: `Idempotency-Key`, `X-Idempotency-Token`. */
const KEY_NAME = /^(?:x-)?idempoten(?:cy|ce|t)(?:-(?:key|id|token))?$/;

/**
 * The header of an operation that carries the key of a call: the one that a person has named, else one of the document. None where it only
 * reads, and where the command gives that header itself.
 */
export function findKeyHeader(
  { parameters, pointer }: Operation,
  root: JsonObject,
  named: string | undefined,
  hidden: ReadonlySet<string>,
): KeyHeader | undefined {
  const isNamed = ({ name }: Parameter): boolean => {
    const lower = name.toLowerCase().replaceAll("_", "-");
    return named === undefined ? KEY_NAME.test(lower) : lower === named.toLowerCase().replaceAll("_", "-");
  };
  const parameter = parameters.find((each) => each.place === "header" && isNamed(each));
  const name = parameter?.name ?? named;
  if (name === undefined || hidden.has(toPlaceKey("header", name))) return undefined;
  const value = parameter?.schema.value;
  const schema = isObject(value)
    ? followObject(root, value, parameter?.schema.pointer ?? pointer, "a schema").value
    : {};
  return { name, parameter, schema };
}

/** Throws where a person has named no header. */
export function assertKeyHeader(name: string | undefined): void {
  if (name === undefined || isHeaderName(name)) return;
  throw new OpenApiError("COMMAND_INVALID", "--idempotency-header is no name of a header", "Such as Idempotency-Key.");
}

/** What codemode says of a call; both stay the same when it is made again. */
const RUN_KEY = "dev.codemode/run-key";
const CALL_NUMBER = "dev.codemode/call-number";

/**
 * The value of the header for a call: run and number, or where the API takes another form, a UUID of them. A call of a client that says no run
 * gets a random one where the API wants any.
 * @param meta `_meta` of the call
 */
export function writeCallKey({ parameter, schema }: KeyHeader, meta: unknown): string | undefined {
  const said: JsonObject = isObject(meta) ? meta : {};
  const { [RUN_KEY]: run, [CALL_NUMBER]: number } = said;
  if (typeof run !== "string" || !/^[\w.:/-]{1,128}$/.test(run) || !Number.isSafeInteger(number))
    return parameter?.required === true ? randomUUID() : undefined;
  const key = `${run}:${String(number)}`;
  return fits(key, schema) ? key : toUuid(key);
}

function fits(key: string, schema: JsonObject): boolean {
  const longest = schema["maxLength"];
  return textAt(schema, "format") !== "uuid" && (typeof longest !== "number" || key.length <= longest);
}

/** The same one for the same key, in the form of version 5 (RFC 9562). */
function toUuid(key: string): string {
  const bytes = createHash("sha1").update(`dev.codemode ${key}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
