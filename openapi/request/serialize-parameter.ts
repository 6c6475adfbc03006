import { type Json, isObject } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";
import type { Parameter, ParameterStyle } from "../operations.ts";
import { isJson } from "../media-types.ts";

/** How one value is written; a parameter without what a part of a form needs not. */
export type Manner = Pick<Parameter, "style" | "explode" | "allowReserved" | "itemSeparators">;

/** Percent-encodes all but unreserved characters (RFC 3986). */
export function encodePercent(text: string, allowReserved = false): string {
  const encoded = encodeURIComponent(text.replaceAll(/[\uD800-\uDFFF]/gu, "\uFFFD")).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (!allowReserved) return encoded;
  // What would begin another parameter or the fragment stays encoded: a value is one value.
  // Some readers take `;` for `&`.
  return encoded.replaceAll(/%(?:3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3D)/g, decodeURIComponent);
}

/** The text of a single value; what is nested deeper than a style can say is JSON. */
export function toText(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function entriesOf(value: Json): [string, Json][] {
  if (!isObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined && entry[1] !== null);
}

/** `R,100,G,200`, or `R=100,G=200` where it is exploded. */
function flatten(
  value: Json,
  { explode, itemSeparators }: Pick<Manner, "explode" | "itemSeparators">,
  encode: (text: string) => string,
  encodeName = encode,
): string[] {
  if (Array.isArray(value)) return value.map((item) => encode(joinItems(item, itemSeparators)));
  if (!isObject(value)) return [encode(toText(value))];
  return entriesOf(value).flatMap(([name, item]) =>
    explode ? [`${encodeName(name)}=${encode(toText(item))}`] : [encode(name), encode(toText(item))],
  );
}

/** A list within a list, as Swagger 2.0 writes it. */
function joinItems(item: Json, [separator, ...inner]: readonly string[] = []): string {
  if (!Array.isArray(item) || separator === undefined) return toText(item);
  return item.map((one) => joinItems(one, inner)).join(separator);
}

/** The text that replaces `{name}` in a path. */
export function serializeInPath(parameter: Parameter, value: Json): string {
  const { name, style, explode, mediaType } = parameter;
  const encode = (text: string): string => encodePercent(text);
  if (mediaType !== undefined) return encode(writeMedia(mediaType, value));
  const parts = flatten(value, parameter, encode);
  if (style === "label") return `.${parts.join(explode ? "." : ",")}`;
  if (style !== "matrix") return parts.join(DELIMITERS[style] ?? ",");
  const key = encode(name);
  if (!explode || typeof value !== "object") return `;${key}=${parts.join(",")}`;
  return parts.map((part) => (Array.isArray(value) ? `;${key}=${part}` : `;${part}`)).join("");
}

/** The parts of a query, such as `tags=a`. */
export function serializeInQuery(parameter: Parameter, value: Json): string[] {
  const { name, mediaType } = parameter;
  if (mediaType !== undefined) return [`${encodePercent(name)}=${encodePercent(writeMedia(mediaType, value))}`];
  return serializeForm(name, value, parameter);
}

const DELIMITERS: Partial<Record<ParameterStyle, string>> = {
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
  tabDelimited: "%09",
};

/** A list of a form in parts, in the style that its document says: one text. */
export function serializePart(value: Json[], { style, itemSeparators }: Manner): string {
  return flatten(value, { explode: false, itemSeparators }, String).join(decodeURIComponent(DELIMITERS[style] ?? ","));
}

/** A value in the styles that queries and forms have. */
export function serializeForm(name: string, value: Json, manner: Manner): string[] {
  const { style, explode, allowReserved } = manner;
  const encode = (text: string): string => encodePercent(text, allowReserved);
  const key = encodePercent(name);
  if (typeof value !== "object" || value === null) return [`${key}=${encode(toText(value))}`];
  if (style === "deepObject") return serializeDeep(key, value, encode);
  // A name stays encoded, also where its values may have reserved characters.
  const parts = flatten(value, manner, encode, (text) => encodePercent(text));
  if (parts.length === 0) return [];
  if (!explode) return [`${key}=${parts.join(DELIMITERS[style] ?? ",")}`];
  return Array.isArray(value) ? parts.map((part) => `${key}=${part}`) : parts;
}

/** `filter[name][first]=x`; a list repeats its name. */
function serializeDeep(key: string, value: Json, encode: (text: string) => string): string[] {
  if (Array.isArray(value)) return value.map((item) => `${key}=${encode(toText(item))}`);
  if (!isObject(value)) return [`${key}=${encode(toText(value))}`];
  return entriesOf(value).flatMap(([name, item]) => serializeDeep(`${key}%5B${encodePercent(name)}%5D`, item, encode));
}

/** The value of a header. */
export function serializeInHeader(parameter: Parameter, value: Json): string {
  const { name, style, mediaType } = parameter;
  const delimiter = decodeURIComponent(DELIMITERS[style] ?? ",");
  const text =
    mediaType === undefined ? flatten(value, parameter, String).join(delimiter) : writeMedia(mediaType, value);
  assertHeaderValue(name, text);
  return text;
}

/** One `name=value` for the header of cookies, or several. What would end a cookie, or quote it, stays encoded, also where the document allows it. */
export function serializeInCookie(parameter: Parameter, value: Json): string {
  const { name, mediaType } = parameter;
  const parts =
    mediaType === undefined
      ? serializeForm(name, value, { ...parameter, allowReserved: false })
      : [`${encodePercent(name)}=${encodePercent(writeMedia(mediaType, value))}`];
  return parts.join("; ");
}

function writeMedia(mediaType: string, value: Json): string {
  return isJson(mediaType) ? JSON.stringify(value) : toText(value);
}

/** A line break in a header would begin another one. */
export function assertHeaderValue(name: string, text: string): void {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (!/[^\t\u0020-\u007E\u0080-\u00FF]/.test(text)) return;
  const cause = `the value for the header ${name} has a character that no header can have`;
  throw new OpenApiError("ARGUMENT_INVALID", cause, "Use printable characters of Latin-1, without line breaks.");
}
