import type { JsonObject } from "../../schemas/json/json.ts";
import type { MediaPlace } from "./scan-json.ts";

/** More stays in the result as text. */
const MOST_MEDIA = 20;
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** A result without its images and sounds. */
export interface TakenMedia {
  /** The JSON text, where `content` stands in the place of each `data`: which of the blocks it is, from 1. */
  json: string;
  /** Content blocks of MCP. */
  blocks: JsonObject[];
}

/** Takes images and sounds out of a result: as text they cost a model tokens and show it nothing. */
export function takeMedia(json: string, media: readonly MediaPlace[]): TakenMedia {
  const parts: string[] = [];
  const blocks: JsonObject[] = [];
  let end = 0;
  let characters = 0;
  for (const { type, mimeType, data, ...place } of media.toSorted((left, right) => left.start - right.start)) {
    const isTaken = blocks.length < MOST_MEDIA && characters + data.length <= MOST_CHARACTERS;
    if (!isTaken || !MIME_TYPE.test(mimeType) || !BASE64.test(data)) continue;
    characters += data.length;
    blocks.push({ type, data, mimeType });
    parts.push(json.slice(end, place.start), `"content":${blocks.length}`);
    ({ end } = place);
  }
  return { json: blocks.length === 0 ? json : parts.join("") + json.slice(end), blocks };
}

const MIME_TYPE = /^(?:image|audio)\/[\w.+-]+$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
