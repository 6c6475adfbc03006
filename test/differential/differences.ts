/** Something that a program can see in the sandbox and that is otherwise in plain Node, on purpose. */
export interface Difference {
  /** What the programs below the heading of that name in `programs/by-design.txt` show. */
  name: string;
  node: string;
  sandbox: string;
  why: string;
}

/** All that differs by design. docs/sandbox.md shows the table; the tests refuse a difference that is not here, and an entry that no program shows. */
export const DIFFERENCES: readonly Difference[] = [
  {
    name: "unresolved names",
    node: "A name that is nowhere throws a `ReferenceError`",
    sandbox:
      "The script is refused before it runs, with the place and the nearest name. Where it asks for the name with `typeof`, and in packages, the name reads `undefined`",
    why: "SES makes every name a property of an object, so that a misspelt one would go on as `undefined`",
  },
  {
    name: "frozen built-ins",
    node: "Built-in objects and globals can be changed",
    sandbox: "A change throws a `TypeError`",
    why: "Code must not change what other code, and a later run, relies on",
  },
  {
    name: "members that objects of one's own may hide",
    node: "Members of prototypes are plain values",
    sandbox: "Some are accessors, so that an assignment to an object that inherits from a frozen prototype works",
    why: "`point.toString = …` has to work although `Object.prototype` is frozen",
  },
  {
    name: "members that some objects of one's own may not hide",
    node: "An assignment to an own object hides what it inherits",
    sandbox:
      "It throws a `TypeError` for the methods of `new String` and `new Number`, `ArrayBuffer`, `DataView`, `TextEncoder`, `TextDecoder`, `AbortController`, `DOMException`, `Intl`, and of the iterators and function objects of the language. `Object.defineProperty` works",
    why: "An accessor for each of some 150 methods would cost each start, and each call of a method of a text",
  },
  {
    name: "code from text",
    node: "`eval`, `Function(text)` and their like make code",
    sandbox: "They throw, or are not there; `Function.length` is 0",
    why: "The manifest names the tools of code that is known before it runs",
  },
  {
    name: "globals of Node",
    node: "`process`, `Buffer`, `fetch`, `setInterval`, `SharedArrayBuffer`, `WeakRef`, `escape` and others",
    sandbox: "Not there",
    why: "Tools are the only way out; shared memory and the collector tell the time",
  },
  {
    name: "messages of the engine",
    node: "V8 names an object by its class, such as `#<Object>`",
    sandbox: "V8 writes `[object Object]`",
    why: "It follows from the accessors in prototypes",
  },
  {
    name: "messages of web APIs",
    node: "`atob`, `btoa`, `structuredClone` and other web APIs throw an error with the message of this version of Node",
    sandbox: "The same class and `name` of the error, with a message of codemode's that is the same in all versions",
    why: "They are made again in the sandbox, and a run gives the same answer in each version of Node",
  },
  {
    name: "the text of a function",
    node: "`String(f)` is what the author wrote",
    sandbox: "It is the text in the bundle: without types, and written otherwise where SES would refuse the text",
    why: "SES refuses text that looks like a dynamic import, a direct `eval` or an HTML comment",
  },
  {
    name: "stacks",
    node: "`stack` has frames of Node and paths; `Error.prepareStackTrace` changes it",
    sandbox:
      "`stack` has frames of the script alone, with positions in its bundle, and its printing cannot be changed. It runs no code: for a `name` that is a getter it prints the class",
    why: "Frames of the host and paths of the machine stay outside",
  },
  { name: "timers", node: "`setTimeout` gives an object", sandbox: "It gives a number", why: "As in browsers" },
  {
    name: "console",
    node: "Some thirty methods",
    sandbox: "`debug`, `log`, `warn`, `error` and a few that do the same",
    why: "Logs are lines of the answer",
  },
  {
    name: "the module",
    node: "`import.meta` has a URL, and `node:` modules can be imported",
    sandbox: "`import.meta` is `undefined`; imports lead to servers, files of the script and allowed packages",
    why: "A script has no place of its own",
  },
  {
    name: "the constructor of RegExp",
    node: "`RegExp.$1`, `RegExp.lastMatch` and others tell of the last match; `RegExp(regexp)` is the same object",
    sandbox: "The statics are not there; `RegExp(regexp)` is a copy",
    why: "Statics carry data between pieces of code that share nothing else",
  },
  {
    name: "`caller` of functions",
    node: "`f.caller` and `f.arguments` throw a `TypeError`",
    sandbox: "They are `undefined`",
    why: "SES takes both away from all functions",
  },
  {
    name: "modules that wait",
    node: "While a module waits at its top level, modules that do not need it run",
    sandbox: "Modules run one after the other, each to its end",
    why: "A bundle is one program, in the order of its imports",
  },
  {
    name: "modules that are imported dynamically",
    node: '`import("./file.js")` runs the file when it is reached',
    sandbox:
      "The file runs before the script, like one that is imported statically; a promise of its namespace is what `import()` gives",
    why: "A bundle is one program: its modules are known, and compiled, before it runs",
  },
  {
    name: "names of variables in messages",
    node: "V8 names a variable as the author wrote it",
    sandbox:
      "A variable whose name two modules declare has another one in messages that a script reads, such as `parse$1 is not a function`; the answer of the run, and `name` of functions and classes, have the author's",
    why: "Modules of a bundle share one scope",
  },
];
