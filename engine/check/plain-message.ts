import { ts } from "./typescript.ts";

const MAX_LENGTH = 400;

/** Parts of TypeScript's messages that are no help in a sandbox. */
const NOISE = / (?:Do you need to (?:install|change)|Try `npm i|Consider using the 'skipLib).*$/s;

/** TypeScript's message on one line: what is wrong, and the innermost reason of it. */
export function toPlainMessage(message: string | ts.DiagnosticMessageChain): string {
  const head = clean(typeof message === "string" ? message : message.messageText);
  const leaf = clean(innermost(message));
  const text = leaf === head ? head : `${head} ${leaf}`;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

function innermost(message: string | ts.DiagnosticMessageChain): string {
  if (typeof message === "string") return message;
  // Of overloads the last one takes most.
  const next = message.next?.at(-1);
  return next === undefined ? message.messageText : innermost(next);
}

/** Modules are called by the names that scripts import; of a type its own name is enough. */
function clean(text: string): string {
  return text
    .replace(NOISE, "")
    .replaceAll("[k: string]: unknown; ", "")
    .replace(/import\("[^"]*"\)\./g, "")
    .replace(/import\("\/(@codemode\/(?:servers\/)?[^"/]+)[^"]*"\)/g, 'import("$1")')
    .replaceAll('import("/script/', 'import("./')
    .replace(/\s+/g, " ");
}
