const BUILT_IN =
  "(?:Array|Object|Function|String|Number|Boolean|BigInt|Symbol|Date|RegExp|\\w*Error|Math|JSON|Promise|Map|Set|Reflect|Iterator|\\w+Array|ArrayBuffer|DataView)";

/** Sets or defines a member of a built-in object. */
const CHANGES_BUILT_IN = new RegExp(
  `\\b${BUILT_IN}(\\.prototype)?(\\.\\w+|\\[[^\\]]+\\])\\s*=[^=]|definePropert(y|ies)\\(\\s*${BUILT_IN}\\b`,
);

/**
 * Why a test that plain Node passes fails in the sandbox. The first rule that matches counts. `difference` names one of
 * `test/differential/differences.ts`; a class without one is a mistake of codemode's.
 */
export const CLASSES = [
  {
    name: "code from text: `eval`, `Function`",
    difference: "code from text",
    matches: ({ source, harness, message }) =>
      // A file of the suite's harness makes classes so, and goes on with holes in a list where it cannot.
      (/new Function/.test(harness) && message.includes("BYTES_PER_ELEMENT")) ||
      /\beval\b|\bFunction\(|isConstructor|wellKnownIntrinsicObjects|fnGlobalObject/.test(source) ||
      /globalThis\.eval|not a valid constructor|could not obtain|code generation/.test(message),
  },
  {
    name: "`transferToImmutable` is there and always throws",
    matches: ({ message }) => message.includes("Cannot transfer to immutable"),
  },
  {
    name: "the bundler changes what is computed",
    matches: ({ bundleInNode }) => bundleInNode.kind !== "value",
  },
  {
    name: "a name that is nowhere reads `undefined`",
    difference: "unresolved names",
    matches: ({ source, message }) =>
      /ReferenceError/.test(message) || (/ReferenceError/.test(source) && /Test262Error|but got/.test(message)),
  },
  {
    name: "a change of a built-in object",
    difference: "frozen built-ins",
    matches: ({ source, message }) =>
      CHANGES_BUILT_IN.test(source) ||
      (/is(Sealed|Frozen|Extensible)\(/.test(source) && message.includes("SameValue")) ||
      /read only|constant variable|not extensible|are frozen|Cannot (add|delete|redefine|define|assign|set) /.test(
        message,
      ),
  },
  {
    name: "descriptors of built-in objects",
    difference: "frozen built-ins",
    matches: ({ message }) =>
      /descriptor should|isn't (writable|configurable)|\bdesc\.|(writable|configurable|extensible)/i.test(message),
  },
  {
    name: "`RegExp(regexp)` and its statics",
    difference: "the constructor of RegExp",
    matches: ({ path }) => path.startsWith("built-ins/RegExp/"),
  },
  {
    name: "`caller` and `arguments` of functions",
    difference: "`caller` of functions",
    matches: ({ source }) => /\.(caller|arguments)\b/.test(source),
  },
];
