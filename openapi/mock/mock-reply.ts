import { follow, pointTo } from "../document/pointer.ts";
import { type Json, type JsonObject, isObject, member, objectAt } from "../json.ts";
import { isJson } from "../media-types.ts";
import type { MediaType, Operation } from "../operations.ts";
import type { HttpReply } from "../request/exchange.ts";
import { chooseAnswer, listSuccesses } from "../tools/result-schema.ts";
import { generateValue } from "./generate-value.ts";

/**
 * The answers that stand for one of the API: the example of the document, one of the examples of its schemas, one of its schemas alone.
 * Examples of documents often do not fit their own schemas, so there is a choice. Nothing is sent.
 */
export function* mockReplies(root: JsonObject, operation: Operation, url: URL): Generator<HttpReply> {
  const successes = listSuccesses(operation.responses);
  const response = successes.find(({ content }) => chooseAnswer(content) !== undefined) ?? successes[0];
  const status = Number(response?.status.replace("XX", "00")) || 200;
  const media = response === undefined ? undefined : (chooseAnswer(response.content) ?? response.content[0]);
  if (media === undefined) {
    yield { status: response === undefined ? 204 : status, statusText: "", headers: {}, body: Buffer.alloc(0), url };
    return;
  }
  const contentType = media.mediaType.includes("*") ? "application/json" : media.mediaType;
  const reply = (value: Json): HttpReply => {
    const isText = !isJson(media.mediaType) && typeof value === "string";
    const body = Buffer.from(isText ? value : JSON.stringify(value));
    return { status, statusText: "OK", headers: { "content-type": contentType }, body, url };
  };
  const example = exampleOf(root, media);
  if (example !== undefined) yield reply(example);
  const schema = { value: member(media.value, "schema") ?? {}, pointer: pointTo(media.pointer, "schema") };
  yield reply(generateValue(root, schema, true));
  yield reply(generateValue(root, schema, false));
}

function exampleOf(root: JsonObject, { value, pointer }: MediaType): Json | undefined {
  const own = member(value, "example");
  if (own !== undefined) return own;
  const [name, first] = Object.entries(objectAt(value, "examples") ?? {})[0] ?? [];
  if (name === undefined || first === undefined) return undefined;
  const example = follow(root, first, pointTo(pointer, "examples", name)).value;
  return isObject(example) ? member(example, "value") : undefined;
}
