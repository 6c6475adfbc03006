import type { Bridge } from "../../../../schemas/bridge.ts";
import { askBridge } from "../ask-bridge.ts";

/** Arguments of one call of `String.fromCharCode`: more could overflow the stack. */
const CHUNK = 8192;

const { apply } = Reflect;
const bufferLength = getterOf(ArrayBuffer.prototype, "byteLength");
const typedArray = viewGetters(Object.getPrototypeOf(Uint8Array.prototype) as object);
const dataView = viewGetters(DataView.prototype);

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
      const bytes = input === undefined ? "" : toByteString(viewBytes(input));
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

/** The bytes behind a buffer or a view of one. The getters are the language's own: an object that only looks like a view has none. */
function viewBytes(input: unknown): Uint8Array {
  for (const view of [typedArray, dataView]) {
    try {
      return new Uint8Array(
        apply(view.buffer, input, []) as ArrayBuffer,
        apply(view.byteOffset, input, []) as number,
        apply(view.byteLength, input, []) as number,
      );
    } catch {
      // Not of this kind: try the next.
    }
  }
  try {
    apply(bufferLength, input, []);
    return new Uint8Array(input as ArrayBuffer);
  } catch {
    throw new TypeError("TextDecoder.decode takes an ArrayBuffer or a view of one");
  }
}

function toByteString(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) {
    chunks.push(apply(String.fromCharCode, undefined, bytes.subarray(start, start + CHUNK)) as string);
  }
  return chunks.join("");
}

type Getter = () => unknown;

function getterOf(prototype: object, key: PropertyKey): Getter {
  return Object.getOwnPropertyDescriptor(prototype, key)?.get as Getter;
}

function viewGetters(prototype: object): { buffer: Getter; byteOffset: Getter; byteLength: Getter } {
  return {
    buffer: getterOf(prototype, "buffer"),
    byteOffset: getterOf(prototype, "byteOffset"),
    byteLength: getterOf(prototype, "byteLength"),
  };
}
