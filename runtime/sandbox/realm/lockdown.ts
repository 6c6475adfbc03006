import { sesGlobals, type SesGlobals } from "./ses-globals.ts";
import { allowOverrides } from "./shims/allow-overrides.ts";
import { restoreDateConstructor } from "./shims/date-constructor.ts";
import { hardenSegments } from "./shims/harden-segments.ts";
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
