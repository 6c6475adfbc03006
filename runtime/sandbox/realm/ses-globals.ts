/** What SES adds to the global object of its realm, as far as it is used here. */
export interface SesGlobals {
  /** Every option is named: SES would read a missing one from environment variables. */
  repairIntrinsics(options: {
    errorTaming: "unsafe";
    stackFiltering: "verbose";
    localeTaming: "unsafe";
    consoleTaming: "unsafe";
    overrideTaming: "min";
    errorTrapping: "none";
    unhandledRejectionTrapping: "none";
    reporting: "none";
    domainTaming: "unsafe";
    regExpTaming: "safe";
    evalTaming: "safe-eval";
  }): void;
  hardenIntrinsics(): void;
  harden<Value>(value: Value): Value;
  Compartment: new (options: { __options__: true; name: string; globals: object }) => Compartment;
}

export interface Compartment {
  globalThis: Record<PropertyKey, unknown>;
  evaluate(code: string, options: { __rejectSomeDirectEvalExpressions__: boolean }): unknown;
}

export function sesGlobals(): SesGlobals {
  return globalThis as unknown as SesGlobals;
}
