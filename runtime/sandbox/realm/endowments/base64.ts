import type { Bridge } from "../../../../schemas/run/bridge.ts";
import { askBridge } from "../ask-bridge.ts";
import type { DomExceptionClass } from "./dom-exception.ts";

export interface Base64 {
  atob(text: unknown): string;
  btoa(bytes: unknown): string;
}

/** Makes `atob` and `btoa` (WHATWG HTML, "Base64 utility methods"). Both take and give strings, so the main realm's own do the work. */
export function makeBase64(bridge: Bridge, DOMException: DomExceptionClass): Base64 {
  return {
    atob(text) {
      const decoded = askBridge(bridge.decodeBase64, String(text));
      if (decoded === undefined) throw new DOMException("The text is not Base64", "InvalidCharacterError");
      return decoded;
    },
    btoa(bytes) {
      const encoded = askBridge(bridge.encodeBase64, String(bytes));
      if (encoded === undefined) {
        const hint = "encode it first: btoa(String.fromCharCode(...new TextEncoder().encode(text)))";
        throw new DOMException(`The text has a character beyond U+00FF; ${hint}`, "InvalidCharacterError");
      }
      return encoded;
    },
  };
}
