/** What V8, and the accessors in prototypes, say of a change that is refused. */
const REFUSED_CHANGE =
  /read only|constant variable|not extensible|are frozen|Cannot (add|delete|redefine|define|assign|set) /;

/** What tests and their harness say of a member that cannot be changed; the harness prints the value that it does not find, and cannot. */
const DESCRIPTOR =
  /descriptor (should|value)|\b(writable|configurable)\b|\b(desc|d|\w*[dD]escriptor)\.\w|Function\.prototype\.toString requires/;

/** The failure of a test without the name of the answer's code, of the error and of objects. */
function failureOf(text) {
  return text
    .replace(/^[A-Z_]+: /, "")
    .replace(/^(\w*Error|undefined): /, "")
    .replaceAll(/'?#<[^>]*>'?|\[object [^\]]*\]/g, "an object");
}

/** Whether the test fails so in plain Node too, once its built-in objects are frozen. */
function failsFrozen(failure, { message, frozenInNode }) {
  return frozenInNode.kind === "error" && failure.test(message) && failure.test(frozenInNode.text);
}

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
      /\beval\b|\bFunction(\.call|\.apply)?\(|isConstructor|wellKnownIntrinsicObjects|fnGlobalObject/.test(source) ||
      /globalThis\.eval|\.constructor\.length|not a valid constructor|could not obtain|code generation/.test(message),
  },
  {
    name: "`transferToImmutable` is there and always throws",
    matches: ({ message }) => message.includes("Cannot transfer to immutable"),
  },
  {
    name: "the text of a function",
    difference: "the text of a function",
    matches: ({ message }) => /NativeFunction Syntax/.test(message),
  },
  {
    name: "`import.meta`",
    difference: "the module",
    matches: ({ source }) => /\bimport\.meta\b/.test(source),
  },
  {
    name: "the bundler changes what is computed",
    matches: ({ bundleInNode }) => bundleInNode.kind !== "value",
  },
  {
    name: "a name that is nowhere is refused",
    difference: "unresolved names",
    // A name that the test declares in any scope must not be refused unless it expects the error: that would be a mistake of the analysis.
    matches: ({ source, message }) => {
      const [, name] = /^TYPE_ERROR: `([\w$]+)` is not declared/.exec(message) ?? [];
      if (name === undefined) return false;
      const word = name.replaceAll("$", "\\$");
      const declares = new RegExp(
        `\\b(?:(?:var|let|const)\\s+(?:[^;=]*[,{[]\\s*)?|(?:class|function)[\\s*]+)${word}\\b`,
      );
      return /ReferenceError/.test(source) || !declares.test(source);
    },
  },
  {
    name: "a change of a built-in object",
    difference: "frozen built-ins",
    matches: (found) => failsFrozen(REFUSED_CHANGE, found),
  },
  {
    name: "descriptors of built-in objects",
    difference: "frozen built-ins",
    matches: (found) => failsFrozen(DESCRIPTOR, found),
  },
  {
    name: "what a built-in object says of itself, such as `isExtensible`",
    difference: "frozen built-ins",
    matches: ({ message, frozenInNode }) =>
      frozenInNode.kind === "error" && failureOf(message) === failureOf(frozenInNode.text),
  },
  {
    name: "`RegExp(regexp)` and its statics",
    difference: "the constructor of RegExp",
    matches: ({ source }) => /\bRegExp\.(\$|input|last|left|right)|(?<!new )\bRegExp\(|legacyRegExp/.test(source),
  },
  {
    name: "`caller` and `arguments` of functions",
    difference: "`caller` of functions",
    matches: ({ source }) => /\.(caller|arguments)\b/.test(source),
  },
];
