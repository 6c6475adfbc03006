/*
 * Every global name that a script finds: the list of the specification's section 3.5, and what the language itself has beside it and
 * SES lets through. A name that is not here does not exist in the sandbox, whatever a later version of Node or SES brings.
 */

/** Made in `endowments/`, one file each. */
export const ENDOWED_GLOBALS = [
  "console",
  "setTimeout",
  "clearTimeout",
  "URL",
  "URLSearchParams",
  "TextEncoder",
  "TextDecoder",
  "atob",
  "btoa",
  "structuredClone",
  "queueMicrotask",
  "performance",
  "crypto",
  "AbortController",
  "AbortSignal",
  "Event",
  "EventTarget",
  "DOMException",
] as const;

/** The codemode interface of a script and of the bindings in it. */
export const CODEMODE_GLOBALS = ["__codemode_call__", "__codemode_input__", "__codemode_result__"] as const;

/** From the language. `Function` is there for `instanceof`, and throws when it is called. */
export const LANGUAGE_GLOBALS = [
  ...["globalThis", "undefined", "NaN", "Infinity"],
  ...[
    "parseInt",
    "parseFloat",
    "isNaN",
    "isFinite",
    "encodeURI",
    "encodeURIComponent",
    "decodeURI",
    "decodeURIComponent",
  ],
  ...["Object", "Function", "Array", "String", "Number", "Boolean", "Symbol", "BigInt", "Date", "RegExp", "Iterator"],
  ...["Math", "JSON", "Reflect", "Proxy", "Intl", "Promise", "Map", "Set", "WeakMap", "WeakSet"],
  ...["Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"],
  ...[
    "ArrayBuffer",
    "DataView",
    "Int8Array",
    "Int16Array",
    "Int32Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "Uint16Array",
  ],
  ...["Uint32Array", "Float16Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"],
] as const;
