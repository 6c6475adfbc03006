/** What to use instead of names that scripts often expect to find. */
export const MISSING_GLOBALS: Record<string, string> = {
  Buffer: "Use TextEncoder, TextDecoder and Uint8Array, and atob and btoa for Base64.",
  CustomEvent: "Use Event, or a subclass of it with the members that you need.",
  WebSocket: "There is no network in the sandbox: call a tool instead.",
  XMLHttpRequest: "There is no network in the sandbox: call a tool instead.",
  eval: "The sandbox cannot create code from text: write it into the script.",
  fetch: "There is no network in the sandbox: call a tool instead.",
  process: "The sandbox has no Node API: pass values as the input of the run.",
  require: "Use `import`; only @codemode/* modules and relative files can be imported.",
  setImmediate: "Use setTimeout(callback, 0).",
  setInterval: "Use setTimeout in a loop: await new Promise((resolve) => setTimeout(resolve, 1000)).",
};

const FROZEN =
  /built-in objects are frozen|Cannot assign to read only property|object is not extensible|Cannot define property|Cannot delete property/;

/** Patterns over `name: message`, the first that fits gives the hint. */
/** What `JSON.parse` says of an object, in the versions of Node. */
export const OBJECT_PARSED =
  /"\[object Object\]" is not valid JSON|Unexpected token '?o'?,? (?:in|"\[object Obj"\.\.\. is not valid) JSON/;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [
    /SyntaxError: Illegal return|'?return'? outside of function/i,
    "Set globalThis.__codemode_result__ instead of returning at the top level.",
  ],
  [OBJECT_PARSED, "The value is an object already: use it without JSON.parse."],
  [
    /JSON at position|is not valid JSON|end of JSON input/,
    "The text is not JSON: log its beginning and parse it in its own format.",
  ],
  [
    /Function\.prototype\.constructor is not a valid constructor|SES_|import expression/i,
    "The sandbox cannot create or load code at run time: write it into the script, with static imports.",
  ],
  [FROZEN, "Built-in objects and globals are frozen: keep your own state in variables of the script."],
  [
    /Cannot (?:read|set) properties of (?:undefined|null)|Cannot destructure/,
    "Log the value before: it has another shape than expected, or a call was not awaited.",
  ],
  [
    /is not (?:async )?iterable|is not a function or its return value/,
    "Log the value before: it is not a list, or a call was not awaited.",
  ],
  [
    /\.(?:map|filter|forEach|slice|reduce|find|some|every|sort|join|flatMap) is not a function/,
    "The value is not an array: log it to see its shape, or await the call that makes it.",
  ],
  [/is not a function/, "Check the name against the declarations; log the value to see what it is."],
  [/is not a constructor/, "Check the name: this class is not in the sandbox."],
  [/Maximum call stack size/, "Use a loop, or check the condition that ends the recursion."],
  [/circular structure|BigInt/, "Turn the value into plain JSON first."],
];

/**
 * One action that fixes an error of a script, from its class, its message, and the line of code and the package that it came from,
 * where these are known.
 */
export function hintForError(name: string, message: string, { line = "", packageName }: ErrorOrigin = {}): string {
  if (packageName === undefined) return hintForScript(name, message, line);
  if (FROZEN.test(`${name}: ${message}`)) {
    return `The package "${packageName}" changes built-in objects or globals, which are frozen in the sandbox: use another one.`;
  }
  return `It comes from the package "${packageName}". ${hintForScript(name, message, line)}`;
}

/** Where an error was made. */
export interface ErrorOrigin {
  line?: string | undefined;
  packageName?: string | undefined;
}

function hintForScript(name: string, message: string, line: string): string {
  const missing = findMissingGlobal(message, line);
  if (missing !== undefined) return MISSING_GLOBALS[missing] as string;
  const text = `${name}: ${message}`;
  return PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? "Check the named line, or catch the error there.";
}

/** A name that is nowhere reads as undefined in the sandbox, so the message may only name the member that was wanted of it. */
function findMissingGlobal(message: string, line: string): string | undefined {
  const [, called] =
    /^(?:globalThis\.)?([A-Za-z]+)(?:\.[\w.]+)? is not (?:a function|a constructor|defined)/.exec(message) ?? [];
  if (called !== undefined && Object.hasOwn(MISSING_GLOBALS, called)) return called;
  const [, member] = /of undefined \((?:reading|setting) '(\w+)'\)/.exec(message) ?? [];
  if (member === undefined) return undefined;
  return Object.keys(MISSING_GLOBALS).find((name) => new RegExp(`\\b${name}\\s*\\??\\.\\s*${member}\\b`).test(line));
}
