/** Refusals of what plain Node accepts: what the sandbox does not have, and what must be known before a script runs. */
const DOCUMENTED = [
  /^`require` is not available/,
  /^CommonJS exports are not available/,
  /^An import cannot be assigned to/,
  /^`import\(…\)` needs a constant/,
  /^`using` is not available/,
  /^Decorators are not available/,
  /^(Source phase|Deferred) imports/,
  /^`export const (input|requestedCapabilities)`/,
  // Rollup's parser does not read `import(…) in …` at the start of a statement.
  /^Expression expected\.$/,
  // V8 says so of a call only when it runs.
  /^Cannot assign to this expression/,
  // A name of another part of a namespace, or in a file beside the script.
  /^`.+` is (not declared|exported by another part)/,
  // What a dynamic import means is known before the script runs.
  /^(There is no (module|server) |The (module|package|server) ".*" (is|has|was|does) |The URL ".*" cannot be imported)/,
];

/** What plain Node refuses and a script may have: a `return` at its top level gives its result. */
const ALLOWED = /Illegal return statement/;

/** Codes that a text of an author may end with. */
const AUTHORS_CODES = new Set(["SYNTAX_ERROR", "IMPORT_FAILURE", "TYPE_ERROR"]);

/** The only refusals that no parser gives a place for, and what stands for many. */
const PLACELESS = /^(The code is nested too deeply|And \d+ more findings)/;

/**
 * Says what bundling a program came to. `bundled` and `refused` are right, all others are failures.
 *
 * @param {{ name: string, files: ReadonlyMap<string, string> }} program the module that was mutated, and all texts by name
 * @param {{ ok: boolean, diagnostics?: object[] } | { error: string }} outcome
 * @param {{ kind: string, message: string } | undefined} inNode
 * @returns {{ kind: string, text: string }}
 */
export function classify({ name, files }, outcome, inNode) {
  if ("error" in outcome) return { kind: "internal", text: outcome.error };
  const isTyped = name.endsWith(".ts");
  if (outcome.ok) {
    const isWrong = !isTyped && inNode?.kind === "refused" && !ALLOWED.test(inNode.message);
    return isWrong ? { kind: "wrongly accepted", text: inNode.message } : { kind: "bundled", text: "" };
  }
  const text = outcome.diagnostics.map(({ code, path, message }) => `${code} ${path}: ${message}`).join("\n");
  const [first] = outcome.diagnostics;
  if (first === undefined) return { kind: "no diagnostic", text };
  if (/could not be read/.test(first.message)) return { kind: "crash", text };
  if (outcome.diagnostics.some(({ code }) => !AUTHORS_CODES.has(code))) return { kind: "broken bundle", text };
  const isPlaced = ({ path, message }) => PLACELESS.test(message) || isPlaceIn(files, path);
  if (!outcome.diagnostics.every(isPlaced)) return { kind: "no place", text };
  const isByRule = outcome.diagnostics.some(({ message }) => DOCUMENTED.some((rule) => rule.test(message)));
  if (inNode?.kind === "accepted" && !isByRule && !PLACELESS.test(first.message))
    return { kind: "wrongly refused", text };
  return { kind: "refused", text };
}

/**
 * True for `NAME:LINE:COLUMN` of a place that a file has. The end of a line, and of the file, are places. In TypeScript the line terminators
 * are those of ECMAScript.
 */
function isPlaceIn(files, path = "") {
  const [, name = "", line, column] = /^(.*):(\d+):(\d+)$/.exec(path) ?? [];
  const text = files.get(name);
  const isIn = (lines = []) => {
    const length = lines[Number(line) - 1]?.length ?? -1;
    return Number(column) >= 1 && Number(column) <= length + 1;
  };
  return isIn(text?.split("\n")) || isIn(text?.split(/\r\n|[\n\r\u2028\u2029]/));
}
