/** What SES adds to `ArrayBuffer.prototype` where the engine does not have it. */
const EMULATED = ["immutable", "sliceToImmutable", "transferToImmutable"];

/**
 * Takes emulated immutable buffers away: without `transfer` (Node 20) they always throw, and no view can be made of one anywhere. Code that
 * looks for them must not find them.
 */
export function dropEmulations(): void {
  for (const name of EMULATED) {
    const { value, get } = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, name) ?? {};
    if (!isNative(value ?? get)) Reflect.deleteProperty(ArrayBuffer.prototype, name);
  }
}

function isNative(method: unknown): boolean {
  return /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(method));
}
