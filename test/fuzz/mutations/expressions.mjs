import { insertAt, replace, swap, textOf } from "../edit-text.mjs";

/** Frames to put an expression into; `@` stands for it. */
const FRAMES = [
  "(@)",
  "await @",
  "await (@)",
  "yield @",
  "(yield @)",
  "async () => @",
  "() => ({ @ })",
  "(function* () { yield* @ })()",
  "new (@)()",
  "new @",
  "`a${@}b`",
  "@`a\\u{61}${1}`",
  "@`\\u`",
  "[...@]",
  "{ ...@ }",
  "({ [@]: 1 })",
  "({ a: @ } = {})",
  "[@] = [1]",
  "@ = 1",
  "@ += 1",
  "@ ??= 1",
  "@++",
  "--@",
  "delete @",
  "delete (@)",
  "delete @?.a",
  "typeof @",
  "void @",
  "!@",
  "-@ ** 2",
  "@ ?? 1 || 2",
  "@, @",
  "@ ? @ : @",
  "@?.a",
  "@?.[0]",
  "@?.()",
  "@.#x",
  "#x in @",
  "@ in {}",
  "@ instanceof Object",
  "super.@",
  "import(@)",
  "import.meta.@",
  "eval(@)",
  "class extends (@) {}",
  "class { static [@] = 1; static [@] = 2 }",
  "(class { #a = @; static m(o) { return o.#a } })",
  "({ get x() { return @ }, set x(v = @) {} })",
  "(a = @, { b = @ } = {}) => a",
  "@ as const",
  "(@)!",
  "<any>@",
  "/[/]@/v",
  "@ --> 0",
  "@ <!--x",
  "import.defer(@)",
];

const LITERALS = [
  "0",
  "010",
  "0n",
  "1_0",
  "1__0",
  ".5e",
  '"\\08"',
  '"\\u{110000}"',
  '"import(1)"',
  "`import(${0})`",
  "`<!--${`-->`}`",
  "String.raw`import(${1})eval(`",
  "/a/gg",
  "/(?<a>x)(?<a>y)/",
  "/(?<a>x)|(?<a>y)/",
  "/(?i:a)/",
  "/[\\p{L}--[a-z]]/v",
  "/<!--/",
  "/import(a)/u",
  "/\\u{1}/",
  "/(/",
  "/]/u",
  "/{1}/",
  "undefined",
  "null",
  "this",
  "arguments",
  "eval",
  "import.meta",
  "new.target",
  "super.x",
  "await",
  "yield",
  "let",
  "async",
  "of",
  "#x",
  "...a",
  "async x => x",
  "async function () {}",
  "function* () { yield }",
  "class { static { await: 1 } }",
  "class A extends null { constructor() { super() } }",
  "{ a, b: 1, c() {}, get d() { return 1 }, async *e() {} }",
  "<div/>",
  "@dec class {}",
  "globalThis",
  "__codemode_tools__",
  "__codemode_runtime__",
  "lowered_0",
];

export const EXPRESSION_MUTATIONS = [
  function swapExpressions(tree, { pick }) {
    return tree.expressions.length < 2 ? undefined : swap(tree, pick(tree.expressions), pick(tree.expressions));
  },
  function replaceExpression(tree, { pick, isLikely }, other) {
    const from = isLikely(0.5) && other?.expressions.length > 0 ? other : tree;
    if (tree.expressions.length === 0) return undefined;
    return replace(tree, pick(tree.expressions), textOf(from, pick(from.expressions)));
  },
  function replaceByLiteral(tree, { pick }) {
    return tree.expressions.length === 0 ? undefined : replace(tree, pick(tree.expressions), pick(LITERALS));
  },
  function wrapExpression(tree, { pick }) {
    const expression = pick(tree.expressions);
    if (expression === undefined) return undefined;
    return replace(
      tree,
      expression,
      pick(FRAMES).replaceAll("@", () => textOf(tree, expression)),
    );
  },
  function changeFunction(tree, { pick }) {
    const found = pick(tree.functions);
    if (found === undefined) return undefined;
    const text = textOf(tree, found);
    const changed = pick([
      (it) => `async ${it}`,
      (it) => it.replace(/^async\s+/, ""),
      (it) => it.replace(/^((async\s+)?function)\b\s*\*?/, "$1*"),
      (it) => it.replace(/\(/, "(a, a, "),
      (it) => it.replace(/\(/, "({ a } = {}, "),
      (it) => it.replace(/\(/, "(...rest, "),
      (it) => it.replace(/\{/, '{ "use strict"; '),
      (it) => it.replace(/=>/, "\n=>"),
      (it) => it.replace(/\{/, "{ let arguments; "),
    ])(text);
    return replace(tree, found, changed);
  },
  function insertAwait(tree, { pick }) {
    const expression = pick(tree.expressions);
    return expression && insertAt(tree, expression.start, pick(["await ", "yield ", "yield* ", "async ", "new "]));
  },
];
