import { join } from "node:path";

const OWN_PROGRAM = join(import.meta.dirname, "..", "..", "..", "cli", "main.js");
const OWN_NAME = /(?:^|[\\/])(?:codemode(?:@[^\\/]+|\.cmd)?|codemode[\\/]dist[\\/]cli[\\/]main\.js)$/;

/** Tells whether a command starts `codemode serve`, in any of the ways in which `codemode install` writes it. */
export function isOwnCommand(words: readonly string[]): boolean {
  return words.some((word, at) => words[at + 1] === "serve" && (word === OWN_PROGRAM || OWN_NAME.test(word)));
}
