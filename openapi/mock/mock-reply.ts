import { follow, pointTo } from "../document/pointer.ts";
import { type Json, type JsonObject, isObject, member, objectAt } from "../json.ts";
import { isJson } from "../media-types.ts";
import type { MediaType, Operation } from "../operations.ts";
import type { HttpReply } from "../request/exchange.ts";
import { chooseAnswer, listSuccesses } from "../tools/result-schema.ts";
import { generateValue } from "./generate-value.ts";

/** The answer that the document shows for an operation: its example, else one made from the schema. Nothing is sent. */
export function mockReply(root: JsonObject, operation: Operation, url: URL): HttpReply {
  const successes = listSuccesses(operation.responses);
  const response = successes.find(({ content }) => chooseAnswer(content) !== undefined) ?? successes[0];
  const status = Number(response?.status.replace("XX", "00")) || 200;
  const media = response === undefined ? undefined : (chooseAnswer(response.content) ?? response.content[0]);
  if (media === undefined)
    return { status: response === undefined ? 204 : status, statusText: "", headers: {}, body: Buffer.alloc(0), url };
  const value =
    exampleOf(root, media) ??
    generateValue(root, { value: member(media.value, "schema") ?? {}, pointer: pointTo(media.pointer, "schema") });
  const isText = !isJson(media.mediaType) && typeof value === "string";
  const contentType = media.mediaType.includes("*") ? "application/json" : media.mediaType;
  return {
    ...{ status, statusText: "OK", url },
    headers: { "content-type": contentType },
    body: Buffer.from(isText ? value : JSON.stringify(value)),
  };
}

function exampleOf(root: JsonObject, { value, pointer }: MediaType): Json | undefined {
  const own = member(value, "example");
  if (own !== undefined) return own;
  const [name, first] = Object.entries(objectAt(value, "examples") ?? {})[0] ?? [];
  if (name === undefined || first === undefined) return undefined;
  const example = follow(root, first, pointTo(pointer, "examples", name)).value;
  return isObject(example) ? member(example, "value") : undefined;
}
