const { apply } = Reflect;
const bufferLength = getterOf(ArrayBuffer.prototype, "byteLength");
const typedArray = viewGetters(Object.getPrototypeOf(Uint8Array.prototype) as object);
const dataView = viewGetters(DataView.prototype);

/** What a typed array or a DataView shows, without regard to its own properties; undefined for what is no view. */
export function readView(
  input: unknown,
): Pick<DataView<ArrayBuffer>, "buffer" | "byteOffset" | "byteLength"> | undefined {
  for (const view of [typedArray, dataView]) {
    try {
      return {
        buffer: apply(view.buffer, input, []) as ArrayBuffer,
        byteOffset: apply(view.byteOffset, input, []) as number,
        byteLength: apply(view.byteLength, input, []) as number,
      };
    } catch {
      // Not of this kind: try the next.
    }
  }
  return undefined;
}

/**
 * The bytes behind a buffer or a view of one; undefined for anything else. The getters are the language's own: an object that only looks
 * like a view has none.
 */
export function viewBytes(input: unknown): Uint8Array | undefined {
  const view = readView(input);
  if (view !== undefined) return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  return isBuffer(input) ? new Uint8Array(input) : undefined;
}

export function isBuffer(input: unknown): input is ArrayBuffer {
  try {
    apply(bufferLength, input, []);
    return true;
  } catch {
    return false;
  }
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
