import { insertAt, replace, textOf } from "../edit-text.mjs";

const SPECIFIERS = [
  "@codemode/errors",
  "@codemode/discovery",
  "@codemode/servers/everything",
  "@codemode/servers/memory",
  "./beside.js",
];

const NAMES = [
  "a",
  "E",
  "x",
  "echo",
  "ToolCallError",
  "listServers",
  "default",
  "nope",
  "await",
  "read_graph",
  '"b c"',
];

/** Statements with `NAME` and `MODULE`. */
const MODULE_STATEMENTS = [
  'import NAME from "MODULE";',
  'import * as NAME from "MODULE";',
  'import { ToolCallError as NAME } from "MODULE";',
  'import { NAME } from "MODULE";',
  'import { NAME, NAME } from "MODULE";',
  'import { default as NAME } from "MODULE";',
  'import NAME, * as all from "MODULE";',
  'import type { NAME } from "MODULE";',
  'import { type NAME } from "MODULE";',
  'import type NAME from "MODULE";',
  'import defer * as NAME from "MODULE";',
  'import source NAME from "MODULE";',
  'import "MODULE";',
  'import {} from "MODULE";',
  'import NAME = require("MODULE");',
  'import NAME from "MODULE" with { type: "json" };',
  'import * as NAME from "MODULE"; delete NAME?.ToolCallError;',
  'import * as NAME from "MODULE"; delete NAME.echo;',
  'import * as NAME from "MODULE"; NAME.echo = 1;',
  'import * as NAME from "MODULE"; NAME.echo++;',
  'import * as NAME from "MODULE"; export { NAME };',
  'import * as NAME from "MODULE"; export default NAME;',
  'import { ToolCallError as NAME } from "MODULE"; NAME = 1;',
  'export * from "MODULE";',
  'export * as NAME from "MODULE";',
  'export * as default from "MODULE";',
  'export { NAME } from "MODULE";',
  'export { NAME as default } from "MODULE";',
  'export { ToolCallError as NAME } from "MODULE";',
  'export { type NAME } from "MODULE";',
  'export type { NAME } from "MODULE";',
  'export type * from "MODULE";',
  "export { NAME };",
  "export { NAME, NAME };",
  "export { NAME as default };",
  'export { NAME as "b c" };',
  "export default NAME;",
  "export default 1;",
  "export default function NAME() {}",
  "export default class {}",
  "export default async () => await NAME;",
  "export default function* () { yield NAME; }",
  "export default ((() => NAME))",
  "export default (0, () => NAME);",
  "export default NAME ?? (class { static own = this.name; });",
  "export default (() => NAME) as unknown;",
  "export default (async function () {}) satisfies unknown;",
  "export let NAME;",
  "export const NAME = 1;",
  "export const { NAME, b: [c = 1, ...NAME] } = {};",
  "export var NAME = 1, NAME;",
  "export function NAME() {}",
  "export class NAME {}",
  "export async function* NAME() {}",
  "export enum NAME { a }",
  "export interface NAME {}",
  "export declare const NAME: 1;",
  "export = NAME;",
  "export as namespace NAME;",
  "export import NAME = a.b;",
  "export {};",
  "export const input = NAME;",
  'export const requestedCapabilities = ["everything", NAME];',
  'const NAME = await import("MODULE");',
  'const { NAME } = await import("MODULE");',
  'import("MODULE").then(({ NAME }) => NAME);',
  'require("MODULE");',
];

function printStatement(tree, { pick, isLikely }) {
  const own = tree.identifiers.length > 0 && isLikely(0.5) ? pick(tree.identifiers).name : pick(NAMES);
  return pick(MODULE_STATEMENTS)
    .replaceAll("NAME", () => own)
    .replaceAll("MODULE", () => pick(SPECIFIERS));
}

const ofModule = (tree) => tree.program.body.filter(({ type }) => /^(Import|Export)/.test(type));

export const MODULE_MUTATIONS = [
  function addModuleStatement(tree, random) {
    const statement = printStatement(tree, random);
    return random.isLikely(0.5) ? `${statement}\n${tree.code}` : `${tree.code}\n${statement}\n`;
  },
  function addTwoModuleStatements(tree, random) {
    return `${printStatement(tree, random)}\n${tree.code}\n${printStatement(tree, random)}\n`;
  },
  function nestModuleStatement(tree, random) {
    return insertAt(tree, random.pick(tree.statements)?.start ?? 0, printStatement(tree, random));
  },
  function removeModuleStatement(tree, { pick }) {
    const statement = pick(ofModule(tree));
    return statement && replace(tree, statement, "");
  },
  function duplicateModuleStatement(tree, { pick }) {
    const statement = pick(ofModule(tree));
    return statement && `${tree.code}\n${textOf(tree, statement)}\n`;
  },
  function exportStatement(tree, { pick }) {
    const statement = pick(tree.program.body);
    return statement && insertAt(tree, statement.start, pick(["export ", "export default ", "export declare "]));
  },
  function wrapDefaultExport(tree, { pick }) {
    const declaration = tree.program.body.find(({ type }) => type === "ExportDefaultDeclaration")?.declaration;
    if (declaration === undefined || declaration.type.endsWith("Declaration")) return undefined;
    return replace(
      tree,
      declaration,
      pick(["(EXPORTED)", "() => EXPORTED", "(0, EXPORTED)", "/* ( */ (EXPORTED /* ) */)"]).replace("EXPORTED", () =>
        textOf(tree, declaration),
      ),
    );
  },
  function changeSpecifier(tree, { pick }) {
    const source = pick(ofModule(tree).filter((statement) => statement.source))?.source;
    return source && replace(tree, source, JSON.stringify(pick(SPECIFIERS)));
  },
];
