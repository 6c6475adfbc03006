/*
 * Attacks that end in another way in an isolate of workerd, where there is no SES. The isolate is the boundary and has one script, so what
 * they get is theirs alone.
 */

/** They change intrinsics, the frames of the adapter (which ends the run) or stack traces, or walk for longer than their time. */
export const CHANGES_ITS_OWN_ISOLATE: readonly string[] = [
  "Array.prototype",
  "JSON and Reflect",
  "JSON tampered with under the binding",
  "Map, Set and WeakMap",
  "Math and Date made to lie",
  "Object.prototype",
  "Promise.prototype.then replaced",
  "String and RegExp",
  "a DOMException that leads to the realm's own Error",
  "a full stack inside the web's globals",
  "a regular expression that others share",
  "arguments.callee and caller",
  "changing what others get",
  "everything is frozen",
  "iterators and generators",
  "methods as channels",
  "prepareStackTrace for call sites",
  "prepareStackTrace on other errors",
  "prototypes of endowed classes",
  "prototypes replaced",
  "segments, which no name leads to",
  "static properties of RegExp",
  "symbols as channels",
  "the function itself",
];

/** SES refuses their text. Here they do not compile as a module, or find nothing to import. */
export const STARTS_WITHOUT_EFFECT: readonly string[] = [
  "a static import",
  "a with statement",
  "an HTML comment",
  "an end of an HTML comment",
  "import() of a URL",
  "import() of a module of Node",
  "import() of a path",
  "import() of data",
  "import() with a comment",
  "import() with line breaks",
  "import.meta",
];
