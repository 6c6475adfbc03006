import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { base64 } from "@scure/base";
import { canonicalJson } from "../json/canonical-json.ts";
import type { JsonValue } from "../json/json.ts";

/** A digest in the form of Subresource Integrity: `sha256-` and base64. */
export type Integrity = `sha256-${string}`;

/** SHA-256 over the UTF-8 of a text. Callers with thousands of texts can pass a native digest. */
export type TextDigest = (text: string) => Integrity;

/** The integrity of a JSON value: SHA-256 over its canonical form (RFC 8785), UTF-8. */
export function integrityOf(value: JsonValue, digest: TextDigest = integrityOfText): Integrity {
  return digest(canonicalJson(value));
}

/** The integrity of a text: SHA-256 over its UTF-8. */
export function integrityOfText(text: string): Integrity {
  return `sha256-${base64.encode(sha256(utf8ToBytes(text)))}`;
}
