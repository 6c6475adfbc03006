/*
 * Every global name of a script: the list of section 3.5 of the specification, and the names of the language that SES permits. Other names
 * do not exist in the sandbox, even if a later version of Node or SES adds them.
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
export const CODEMODE_GLOBALS = [
  "__codemode_call__",
  "__codemode_input__",
  "__codemode_result__",
  "__codemode_run__",
] as const;

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
