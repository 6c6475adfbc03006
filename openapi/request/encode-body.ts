import { randomUUID } from "node:crypto";
import { arrayAt, type Json, type JsonObject, isObject, member, objectAt, textAt } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";
import { bareType } from "../media-types.ts";
import type { BodyPlan } from "../tools/arguments.ts";
import { encodePercent, type Manner, serializeForm, serializePart, toText } from "./serialize-parameter.ts";

/** A body with its media type. */
export interface EncodedBody {
  contentType: string;
  bytes: Buffer;
}

/** Writes a body as its media type says. */
export function encodeBody(plan: BodyPlan, value: Json): EncodedBody {
  if (plan.kind === "json")
    return { contentType: withoutCharset(plan.mediaType), bytes: Buffer.from((plan.print ?? JSON.stringify)(value)) };
  if (plan.kind === "text") return { contentType: withCharset(plan.mediaType), bytes: Buffer.from(toText(value)) };
  if (plan.kind === "binary") {
    const file = readFile(value, "body");
    // A pattern such as image/* is no type of a file.
    const contentType = plan.mediaType.includes("*") ? file.mediaType : plan.mediaType;
    return { contentType, bytes: file.bytes };
  }
  const fields = Object.entries(isObject(value) ? value : {}).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined && entry[1] !== null,
  );
  if (plan.kind === "form") {
    const parts = fields.flatMap(([name, field]) => encodeField(name, field, objectAt(plan.encoding, name) ?? {}));
    return { contentType: withoutCharset(plan.mediaType), bytes: Buffer.from(parts.join("&")) };
  }
  return encodeMultipart(plan, fields);
}

function withCharset(mediaType: string): string {
  return `${withoutCharset(mediaType).replace("*", "plain")}; charset=utf-8`;
}

/** The bytes are UTF-8, also where the document names another charset. */
function withoutCharset(mediaType: string): string {
  const [type = "", ...parameters] = mediaType.split(";");
  return [type.trim(), ...parameters.filter((one) => !/^\s*charset\s*=/i.test(one))].join(";");
}

/** How a field is written; without a style of its own a list repeats the field. */
function mannerOf(encoding: JsonObject): Manner {
  const style = (textAt(encoding, "style") as Manner["style"] | undefined) ?? "form";
  return {
    style,
    explode: (member(encoding, "explode") ?? style === "form") === true,
    allowReserved: member(encoding, "allowReserved") === true,
    itemSeparators: arrayAt(encoding, "x-item-separators").filter((one) => typeof one === "string"),
  };
}

/** Without a style of its own an object is JSON in a field. */
function encodeField(name: string, value: Json, encoding: JsonObject): string[] {
  if (textAt(encoding, "style") === undefined && isObject(value))
    return [`${encodePercent(name)}=${encodePercent(JSON.stringify(value))}`];
  return serializeForm(name, value, mannerOf(encoding));
}

function encodeMultipart(plan: BodyPlan, fields: [string, Json][]): EncodedBody {
  const boundary = `codemode-${randomUUID()}`;
  const parts = fields.flatMap(([name, value]) => {
    const encoding = objectAt(plan.encoding, name) ?? {};
    const contentType = textAt(encoding, "contentType");
    return listParts(value, encoding).map((item) => encodePart(boundary, name, item, contentType));
  });
  const bytes = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  // A boundary of the document would be the one that a reader takes.
  return { contentType: `${bareType(plan.mediaType)}; boundary=${boundary}`, bytes };
}

/** A list is a part for each item, or one part where its document says how the items stand in it. */
function listParts(value: Json, encoding: JsonObject): Json[] {
  if (!Array.isArray(value)) return [value];
  const manner = mannerOf(encoding);
  const isOne = textAt(encoding, "style") !== undefined && !manner.explode && !value.some(isObject);
  return isOne ? [serializePart(value, manner)] : value;
}

function encodePart(boundary: string, name: string, value: Json, contentType: string | undefined): Buffer {
  const file = isObject(value) && typeof value["base64"] === "string" ? readFile(value, name) : undefined;
  const said = contentType?.split(",")[0]?.trim();
  const type = file === undefined ? (said ?? (isObject(value) ? "application/json" : undefined)) : file.mediaType;
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${quote(name)}"${file === undefined ? "" : `; filename="${quote(file.name)}"`}`,
    ...(type === undefined ? [] : [`Content-Type: ${type.replaceAll(CONTROLS, "")}`]),
  ];
  return Buffer.concat([
    Buffer.from(`${head.join("\r\n")}\r\n\r\n`),
    file?.bytes ?? Buffer.from(toText(value)),
    Buffer.from("\r\n"),
  ]);
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROLS = /[\u0000-\u001F\u007F]/g;

/** As browsers write names of fields and files: nothing of them ends the header; nor the quotes, where a reader takes `\` for an escape. */
function quote(text: string): string {
  return text.replaceAll(CONTROLS, toPercent).replaceAll(/["\\]/g, toPercent);
}

function toPercent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

interface ReadFile {
  bytes: Buffer;
  name: string;
  mediaType: string;
}

function readFile(value: Json, argument: string): ReadFile {
  const base64 = isObject(value) ? textAt(value, "base64") : undefined;
  const plain = base64?.replaceAll(/\s+/g, "");
  if (!isObject(value) || plain === undefined || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(plain)) {
    const cause = `${argument} must be an object with the bytes of a file in base64`;
    throw new OpenApiError(
      "ARGUMENT_INVALID",
      cause,
      'Write { "base64": "…", "filename": "a.png", "mediaType": "image/png" }.',
    );
  }
  const mediaType = textAt(value, "mediaType") ?? "application/octet-stream";
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[ \w=.-]*)?$/.test(mediaType)) {
    throw new OpenApiError("ARGUMENT_INVALID", `mediaType of ${argument} is none`, "Write it as image/png.");
  }
  return { bytes: Buffer.from(plain, "base64"), name: textAt(value, "filename") ?? "file", mediaType };
}
