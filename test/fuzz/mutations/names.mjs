import { insertAt, replace, textOf } from "../edit-text.mjs";

const NAMES = [
  ...["a", "b", "E", "x", "f", "await", "yield", "let", "async", "of", "static", "get", "arguments", "eval", "enum"],
  ...[
    "undefined",
    "NaN",
    "Object",
    "JSON",
    "Promise",
    "globalThis",
    "console",
    "default",
    "interface",
    "package",
    "then",
  ],
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "result",
    "__codemode_result__",
    "__codemode_tools__",
    "lowered_0",
    "exports",
  ],
  ...[
    "module",
    "require",
    "input",
    "type",
    "as",
    "from",
    "satisfies",
    "declare",
    "abstract",
    "accessor",
    "using",
    "Symbol",
  ],
  ...["ToolCallError", "echo", "all", "errors", "script", "\u00e9", "\ud835\udc9c", "$", "_", "a\u200d"],
];

export const NAME_MUTATIONS = [
  /** All places of one name take another that the program has: declarations collide. */
  function renameAll(tree, { pick, isLikely }) {
    const old = pick(tree.identifiers)?.name;
    if (old === undefined) return undefined;
    const name = isLikely(0.6) ? pick(tree.identifiers).name : pick(NAMES);
    return tree.identifiers
      .filter((node) => node.name === old)
      .toSorted((left, right) => right.start - left.start)
      .reduce((code, node) => replace({ code }, node, name), tree.code);
  },
  function renameOne(tree, { pick, isLikely }) {
    const identifier = pick(tree.identifiers);
    if (identifier === undefined) return undefined;
    return replace(tree, identifier, isLikely(0.6) ? pick(tree.identifiers).name : pick(NAMES));
  },
  function escapeName(tree, { pick }) {
    const identifier = pick(tree.identifiers);
    if (identifier === undefined) return undefined;
    const [first = "", ...rest] = textOf(tree, identifier);
    const code = first.codePointAt(0).toString(16);
    return replace(tree, identifier, pick([`\\u{${code}}`, `\\u${code.padStart(4, "0")}`, `\\u{0}`]) + rest.join(""));
  },
  function escapeWord(tree, { pick }) {
    const words = [...tree.code.matchAll(/\b[a-z]{2,}\b/g)];
    const word = pick(words);
    if (word === undefined) return undefined;
    const escaped = `\\u{${word[0].codePointAt(0).toString(16)}}${word[0].slice(1)}`;
    return replace(tree, { start: word.index, end: word.index + word[0].length }, escaped);
  },
  function makePrivate(tree, { pick }) {
    const identifier = pick(tree.identifiers);
    return identifier && insertAt(tree, identifier.start, "#");
  },
  function makeOptional(tree, { pick }) {
    const dots = [...tree.code.matchAll(/(?<=[\w)\]])(\.|\[|\()/g)];
    const dot = pick(dots);
    if (dot === undefined) return undefined;
    return insertAt(tree, dot.index, dot[0] === "." ? "?" : "?.");
  },
  /** Does to a name what only variables allow. */
  function changeVariable(tree, { pick }) {
    const identifier = pick(tree.identifiers);
    if (identifier === undefined) return undefined;
    const { name } = identifier;
    const use = pick([
      `${name} = 1;`,
      `${name}++;`,
      `[${name}] = [1];`,
      `({ a: ${name} } = {});`,
      `({ ${name} } = {});`,
      `for (${name} of [1]) ;`,
      `for (${name} in {}) ;`,
      `delete ${name};`,
      `delete ${name}.a;`,
      `delete ${name}?.a;`,
      `delete (${name}?.["a"]);`,
      `${name}.a = 1;`,
      `${name}?.a.b.c;`,
      `${name}.default;`,
      `typeof ${name};`,
      `let ${name};`,
      `var ${name};`,
      `{ var ${name}; }`,
      `{ function ${name}() {} }`,
      `function ${name}() {}`,
      `class ${name} {}`,
      `try {} catch (${name}) { var ${name}; }`,
      `try {} catch ({ ${name} }) { var ${name}; }`,
      `for (var ${name} of []) ;`,
      `switch (0) { case 0: let ${name}; case 1: function ${name}() {} }`,
      `(function ${name}() { ${name} = 1; })();`,
      `((${name}) => { let ${name}; });`,
      `enum ${name} { a }`,
      `namespace ${name} { export const a = 1; }`,
      `type ${name} = 1;`,
      `${name}: for (;;) { break ${name}; }`,
      `continue ${name};`,
    ]);
    return pick([
      () => `${tree.code}\n${use}\n`,
      () => `${use}\n${tree.code}`,
      () => insertAt(tree, pick(tree.statements)?.start ?? 0, `${use}\n`),
    ])();
  },
];
