import { insertAt, replace, textOf } from "../edit-text.mjs";

const STATEMENTS = [
  "interface A<T = string> extends B { (x: number): T; readonly [key: string]: unknown }",
  "type A<T> = T extends infer U extends string ? `${U}` : never;",
  "enum A { a, b = a << 1, c = 'x' }",
  "const enum A { a = 1 }",
  "declare enum A { a }",
  "namespace A { export const a = 1; export namespace B { export let c = a } }",
  "namespace A.B.C { export function f() {} }",
  "namespace A { export type B = 1 }",
  "module A { }",
  "declare module 'a' { export const b: 1 }",
  "declare global { var g: number }",
  "declare const d: unique symbol;",
  "declare function f(x: number): void;",
  "abstract class A<T> implements B { private x?: T; abstract y(): void; declare z: 1; constructor(readonly p = 1, protected override q?: string) { super(); } }",
  "class A { accessor a = 1; static accessor b; }",
  "class A { @dec m() {} }",
  "function f(this: Window, x?: number): asserts x is number;",
  "function f<const T>(x: T): x is T { return true }",
  "import type { A } from '@codemode/errors';",
  "import a = A.B;",
  "let v!: number;",
  "let t: [a?: string, ...rest: number[]] = <any>[];",
  "for (const x of <any[]>[]) { x!.y }",
  "const g = <T,>(x: T): T => x;",
  "export type { A };",
  "export abstract class Q {}",
];

export const TYPE_MUTATIONS = [
  function addTypeStatement(tree, { pick }) {
    return insertAt(tree, pick(tree.statements)?.start ?? 0, `${pick(STATEMENTS)}\n`);
  },
  function annotate(tree, { pick }) {
    const identifier = pick(tree.identifiers);
    const types = [
      ": any",
      "?: string",
      "!: number",
      ": typeof a",
      ": A<B>",
      ": (x) => void",
      "<T>",
      "!",
      " as any",
      " satisfies A",
    ];
    return identifier && insertAt(tree, identifier.end, pick(types));
  },
  function assertExpression(tree, { pick }) {
    const expression = pick(tree.expressions);
    if (expression === undefined) return undefined;
    const text = textOf(tree, expression);
    return replace(
      tree,
      expression,
      pick([`(${text} as unknown as A)`, `(<A>${text})`, `${text}!`, `(${text} satisfies B)`, `${text}<T>`]),
    );
  },
  function addModifier(tree, { pick }) {
    const words = [
      "declare ",
      "abstract ",
      "public ",
      "readonly ",
      "static ",
      "override ",
      "accessor ",
      "async ",
      "type ",
    ];
    const at = pick([...tree.identifiers, ...tree.statements]);
    return at && insertAt(tree, at.start, pick(words));
  },
];
