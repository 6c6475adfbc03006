export type DomExceptionClass = new (message?: unknown, options?: unknown) => Error;

/** The names that have a code, at the index that is the code (Web IDL, "DOMException names"); gaps are names that nothing uses. */
const CODED_NAMES = [
  ...["", "IndexSizeError", "", "HierarchyRequestError", "WrongDocumentError", "InvalidCharacterError", ""],
  ...["NoModificationAllowedError", "NotFoundError", "NotSupportedError", "InUseAttributeError", "InvalidStateError"],
  ...["SyntaxError", "InvalidModificationError", "NamespaceError", "InvalidAccessError", "", "TypeMismatchError"],
  ...["SecurityError", "NetworkError", "AbortError", "URLMismatchError", "QuotaExceededError", "TimeoutError"],
  ...["InvalidNodeTypeError", "DataCloneError"],
];

/**
 * Makes the class `DOMException`, which the other endowments throw. It extends the `Error` that scripts have: the realm's own could change how
 * stacks are printed.
 */
export function makeDomException(): DomExceptionClass {
  const ScriptError = Error.prototype.constructor as ErrorConstructor;
  return class DOMException extends ScriptError {
    readonly #name: string = "Error";

    /** `options` is the name, or `{ name, cause }`. */
    constructor(message: unknown = "", options: unknown = "Error") {
      const { name = "Error", ...rest } = typeof options === "object" && options !== null ? readOptions(options) : {};
      super(String(message), rest);
      this.#name = typeof options === "object" ? name : String(options);
    }

    override get name(): string {
      return #name in this ? this.#name : "Error";
    }

    get code(): number {
      return Math.max(CODED_NAMES.indexOf(this.name), 0);
    }

    get [Symbol.toStringTag](): string {
      return "DOMException";
    }
  };
}

function readOptions(options: { name?: unknown; cause?: unknown }): { name?: string; cause?: unknown } {
  const { name, cause } = options;
  return { ...(name !== undefined && { name: String(name) }), ...("cause" in options && { cause }) };
}
