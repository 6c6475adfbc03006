import { typedArrayName } from "../serialize/value-shape.ts";
import type { DomExceptionClass } from "./dom-exception.ts";
import type { RandomBytes } from "./random-bytes.ts";
import { viewBytes } from "./view-bytes.ts";

export interface ScriptCrypto {
  getRandomValues<View>(view: View): View;
  randomUUID(): string;
}

/** The most bytes that are made at once (Web Cryptography API, `getRandomValues`). */
const MAX_BYTES = 65_536;
const UUID_BYTES = 16;
const INTEGERS = /^(?:Big)?(?:Int|Uint)\d/;

/** Makes the two functions of `crypto` that make something at random. */
export function makeCrypto({ next }: Pick<RandomBytes, "next">, DOMException: DomExceptionClass): ScriptCrypto {
  return {
    getRandomValues(view) {
      const bytes = ArrayBuffer.isView(view) && INTEGERS.test(typedArrayName(view)) ? viewBytes(view) : undefined;
      if (bytes === undefined) {
        throw new DOMException("getRandomValues takes a typed array of integers", "TypeMismatchError");
      }
      if (bytes.length > MAX_BYTES) {
        throw new DOMException(`getRandomValues makes ${MAX_BYTES} bytes at most`, "QuotaExceededError");
      }
      for (let index = 0; index < bytes.length; index += 1) bytes[index] = next();
      return view;
    },
    randomUUID() {
      const bytes = Array.from({ length: UUID_BYTES }, next);
      // Version 4 and the variant of RFC 9562.
      bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
      const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    },
  };
}
