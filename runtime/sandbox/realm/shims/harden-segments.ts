/**
 * Hardens the prototypes of segments and of their iterators. SES does not know them, and nothing leads to them but `segment`: they are hardened
 * with the first segments that it gives, because making a segmenter at the start would take ten milliseconds.
 */
export function hardenSegments(harden: <Value>(value: Value) => Value): void {
  const { Segmenter } = (globalThis as { Intl?: Partial<typeof Intl> }).Intl ?? {};
  if (Segmenter === undefined) return;
  const { segment: original } = Segmenter.prototype;
  let isHardened = false;
  const { segment } = {
    segment(this: Intl.Segmenter, input: string): Intl.Segments {
      const segments = Reflect.apply(original, this, [input]);
      if (!isHardened) {
        // A full stack throws before the script has the segments; the next call tries again.
        harden([Object.getPrototypeOf(segments), Object.getPrototypeOf(segments[Symbol.iterator]())]);
        isHardened = true;
      }
      return segments;
    },
  };
  Object.defineProperty(Segmenter.prototype, "segment", {
    value: segment,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
