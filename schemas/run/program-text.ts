import { BUNDLE_URL } from "./bundle.ts";

/** What the runtime of the bindings is called in a program, outside of the modules. */
export const RUNTIME = "__codemode_runtime__";

/** The first line of a program that has lines outside of its modules: there no name of a script or a tool hides a global of the language. */
export const OUTER_START = '(function () {"use strict";';

/** The last line of each program. */
export const PROGRAM_END = "}).call(undefined)";

const SOURCE_URL = `\n//# sourceURL=${BUNDLE_URL}`;

/** Prints the line that declares the runtime; it is the second of a program that uses it. */
export function printRuntimeLine(code: string): string {
  return `const ${RUNTIME} = ${code};`;
}

/** Names a program in stack traces. */
export function nameProgram(code: string): string {
  return `${code}${SOURCE_URL}`;
}

/**
 * The program without its runtime, for a sandbox that has this very runtime: an expression whose value is a function of the runtime. Every
 * other line stays where it is. Undefined for a program with another runtime, or with none.
 * @param runtimeLine as `printRuntimeLine` prints it
 */
export function leaveOutRuntime(code: string, runtimeLine: string): string | undefined {
  const start = OUTER_START.length + 1;
  const rest = start + runtimeLine.length + 1;
  const hasRuntime =
    code.startsWith(`${OUTER_START}\n`) && code.startsWith(runtimeLine, start) && code[rest - 1] === "\n";
  if (!hasRuntime || !code.endsWith(`\n${PROGRAM_END}${SOURCE_URL}`)) return undefined;
  return nameProgram(`(function (${RUNTIME}) { return ${OUTER_START}\n\n${code.slice(rest, -SOURCE_URL.length)}\n})`);
}
