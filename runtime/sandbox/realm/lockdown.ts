import { sesGlobals, type SesGlobals } from "./ses-globals.ts";
import { allowOverrides } from "./shims/allow-overrides.ts";
import { type KnownProxies, makeKnownProxies } from "./shims/known-proxies.ts";
import { printStacks } from "./shims/print-stacks.ts";

/**
 * Makes every intrinsic of this realm harmless and immutable. The shims run in between: they see repaired intrinsics, and
 * what they add is hardened with the rest.
 */
export function lockdownRealm(): Pick<KnownProxies, "Proxy"> {
  const feralError = Error;
  const { Proxy, isProxy } = makeKnownProxies();
  sesGlobals().repairIntrinsics({
    errorTaming: "unsafe", // Stacks are strings, printed by our own shim. Nothing gives out call sites.
    stackFiltering: "verbose",
    localeTaming: "unsafe", // `toLocaleString` and its like work. They are still hardened.
    consoleTaming: "unsafe", // There is no console in this realm to be tamed.
    overrideTaming: "min", // `allowOverrides` covers more, at a lower cost.
    errorTrapping: "none",
    unhandledRejectionTrapping: "none",
    reporting: "none",
    domainTaming: "unsafe",
    regExpTaming: "safe",
    evalTaming: "safe-eval",
  });
  Reflect.deleteProperty(Object, Symbol.for("harden")); // A power of SES that scripts would find.
  restoreDateConstructor();
  printStacks(feralError, isProxy);
  allowOverrides();
  let harden: SesGlobals["harden"] = (value) => value;
  hardenSegments((value) => harden(value));
  sesGlobals().hardenIntrinsics();
  ({ harden } = sesGlobals()); // It is there from now on.
  return { Proxy };
}

/**
 * Lets `new date.constructor()` work: SES points it at a `Date` that cannot tell the time, while scripts have the one that can.
 */
function restoreDateConstructor(): void {
  Object.defineProperty(Date.prototype, "constructor", { value: Date });
}

/**
 * Hardens the prototypes of segments and of their iterators. SES does not know them, and nothing leads to them but `segment`: they are hardened
 * with the first segments that it gives, because making a segmenter at the start would take ten milliseconds.
 */
function hardenSegments(harden: <Value>(value: Value) => Value): void {
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
