/**
 * Lets `new date.constructor()` work: SES points it at a `Date` that cannot tell the time, while scripts have the one that can.
 */
export function restoreDateConstructor(): void {
  Object.defineProperty(Date.prototype, "constructor", {
    value: Date,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
