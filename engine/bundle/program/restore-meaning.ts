import type { OutputChunk } from "rollup";
import { editProgram, findMappedOffsets, findOriginalNames } from "./edit-program.ts";
import { keepNames } from "./keep-names.ts";
import { DEFAULT_NAME } from "./name-default-export.ts";
import { NAMESPACE_MAKER, NAMESPACE_START, printNamespaces } from "../servers/print-namespaces.ts";
import { isTooDeep } from "../syntax/syntax-error.ts";
import { type SyntaxNode, toSyntax } from "../syntax/syntax-tree.ts";

/** The modules of a program, and the lines that it needs around them. */
export interface RestoredProgram extends Pick<OutputChunk, "code" | "map"> {
  /** Functions that the lines inside call. They stand where no variable of the author's is seen. */
  outerLines: string[];
  /** What runs before the first module, among its variables. */
  innerLines: string[];
}

/**
 * Restores what the bundler changes where several modules become one scope: names of functions and classes, and namespace objects. A
 * program of which it renamed nothing and made no such object is not even parsed.
 */
export async function restoreMeaning({ code, map }: Pick<OutputChunk, "code" | "map">): Promise<RestoredProgram> {
  const hasNamespaces = NAMESPACE_START.test(code);
  const isRenamed = code.includes(DEFAULT_NAME) || (map?.names ?? []).some((name) => code.includes(`${name}$`));
  if (map === null || !(hasNamespaces || isRenamed)) return { code, map, outerLines: [], innerLines: [] };
  const program = await parseProgram(code);
  // What is no JavaScript is found, with its place, when the finished program is compiled.
  if (program === undefined) return { code, map, outerLines: [], innerLines: [] };
  const setter = unusedName(code, "__codemode_name__");
  const maker = unusedName(code, "__codemode_namespace__");
  const mapped = hasNamespaces ? findMappedOffsets(code, map.mappings) : [];
  const isAuthored = (start: number, end: number): boolean => mapped.some((offset) => offset >= start && offset < end);
  const namespaces = printNamespaces(code, program, { maker, isAuthored });
  const originals = findOriginalNames(code, map.mappings, map.names);
  const names = keepNames(program, { originals, setter, reader: unusedName(code, "__codemode_read_") });
  const edited = editProgram(code, map.mappings, [...namespaces.edits, ...names.edits]);
  const innerLines = [...namespaces.statements, ...names.statements];
  const isUsed = (name: string): boolean =>
    edited.code.includes(name) || innerLines.some((line) => line.includes(name));
  const outerLines = [
    ...(isUsed(setter) ? [`const ${setter} = (named, value) => Object.defineProperty(named, "name", { value });`] : []),
    ...(isUsed(maker) ? `const ${maker} = ${NAMESPACE_MAKER};`.split("\n") : []),
  ];
  return { code: edited.code, map: Object.assign(map, { mappings: edited.mappings }), outerLines, innerLines };
}

async function parseProgram(code: string): Promise<SyntaxNode | undefined> {
  const { parseAst } = await import("rollup/parseAst");
  try {
    return toSyntax(parseAst(code));
  } catch (error) {
    if (isTooDeep(error)) throw error;
    return undefined;
  }
}

function unusedName(code: string, base: string): string {
  let name = base;
  while (code.includes(name)) name = `_${name}`;
  return name;
}
