import type { Bridge } from "../../../../schemas/run/bridge.ts";
import { askBridge } from "../ask-bridge.ts";
import { viewBytes } from "./view-bytes.ts";

/** Arguments of one call of `String.fromCharCode`: more could overflow the stack. */
const CHUNK = 8192;

const { apply } = Reflect;

/** Makes the class `TextDecoder`, with every encoding that Node's own has; bytes cross to it as a string of one character each. */
export function makeTextDecoder(bridge: Bridge): new (label?: unknown, options?: object) => object {
  let lastId = 0;
  return class TextDecoder {
    readonly #id = (lastId += 1);
    readonly #encoding: string;
    readonly #options: { fatal: boolean; ignoreBOM: boolean };

    constructor(label: unknown = "utf-8", options: { fatal?: unknown; ignoreBOM?: unknown } = {}) {
      const encoding = askBridge(bridge.findEncoding, String(label));
      if (encoding === undefined) throw new RangeError(`The encoding '${String(label)}' is not known`);
      this.#encoding = encoding;
      this.#options = { fatal: Boolean(options.fatal), ignoreBOM: Boolean(options.ignoreBOM) };
    }

    get encoding(): string {
      return this.#encoding;
    }

    get fatal(): boolean {
      return this.#options.fatal;
    }

    get ignoreBOM(): boolean {
      return this.#options.ignoreBOM;
    }

    decode(input?: unknown, options: { stream?: unknown } = {}): string {
      const given = input === undefined ? new Uint8Array() : viewBytes(input);
      if (given === undefined) throw new TypeError("TextDecoder.decode takes an ArrayBuffer or a view of one");
      const bytes = toByteString(given);
      const settings = JSON.stringify(this.#options);
      const text = askBridge(bridge.decodeText, this.#id, this.#encoding, settings, bytes, Boolean(options.stream));
      if (text === undefined) throw new TypeError(`The encoded data was not valid for encoding ${this.#encoding}`);
      return text;
    }

    get [Symbol.toStringTag](): string {
      return "TextDecoder";
    }
  };
}

function toByteString(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) {
    chunks.push(apply(String.fromCharCode, undefined, bytes.subarray(start, start + CHUNK)) as string);
  }
  return chunks.join("");
}
