import type { ImportOutcome, ImportProblem, PlacedProblem } from "../modules/import-problem.ts";
import type { ImportUse, ModuleImports } from "./find-imports.ts";
import { isSyntaxNode, walkSyntax, type SyntaxNode } from "./syntax-tree.ts";

/** What the specifiers and names of a module's imports mean. */
export interface ImportMeaning {
  resolve(use: ImportUse): ImportOutcome;
  /** Names that a module which can be imported does not export. */
  findMissingNames(use: ImportUse): PlacedProblem[];
}

/** Finds every import that a module of the author's cannot have. */
export function findImportProblems(imports: ModuleImports, meaning: ImportMeaning): PlacedProblem[] {
  const problems: PlacedProblem[] = [];
  for (const use of imports.uses) {
    const outcome = meaning.resolve(use);
    if (outcome.ok) problems.push(...meaning.findMissingNames(use));
    else problems.push({ ...outcome.problem, start: use.start });
  }
  for (const start of imports.computed) problems.push({ ...COMPUTED_IMPORT, start });
  for (const { start, specifier } of imports.requires) problems.push({ ...describeRequire(specifier, meaning), start });
  for (const start of imports.commonJsExports) problems.push({ ...COMMON_JS_EXPORT, start });
  return problems;
}

/** Finds syntax that the bundler reads and the sandbox's JavaScript engine does not. */
export function findUnsupportedSyntax(program: SyntaxNode): PlacedProblem[] {
  const problems: PlacedProblem[] = [];
  walkSyntax(program, (node) => {
    const decorators = node["decorators"];
    const decorator: unknown = Array.isArray(decorators) ? decorators[0] : undefined;
    if (isSyntaxNode(decorator)) problems.push({ ...DECORATOR, start: decorator.start });
    const phase = node["phase"];
    if (phase === "source" || phase === "defer") problems.push({ ...describePhase(phase), start: node.start });
    if (node.type === "VariableDeclaration" && String(node["kind"]).endsWith("using")) {
      problems.push({ ...USING, start: node.start });
    }
  });
  return problems;
}

function describeRequire(specifier: string | undefined, meaning: ImportMeaning): ImportProblem {
  const message = "`require` is not available: a script is an ES module.";
  if (specifier === undefined)
    return { code: "IMPORT_FAILURE", message, hint: 'Write `import … from "…"` with the name of the module.' };
  const outcome = meaning.resolve({ specifier, start: 0, names: new Map(), members: new Set(), whole: false });
  if (outcome.ok)
    return { code: "IMPORT_FAILURE", message, hint: `Write \`import … from ${JSON.stringify(specifier)}\`.` };
  // What cannot be imported either gets the better hint of the two.
  return { code: "IMPORT_FAILURE", message: `${message} ${outcome.problem.message}`, hint: outcome.problem.hint };
}

const COMPUTED_IMPORT: ImportProblem = {
  code: "IMPORT_FAILURE",
  message: "`import(…)` needs a constant: the modules of a script are known before it runs.",
  hint: 'Write the specifier as a string literal, such as `import("@codemode/servers/…")`.',
};

const COMMON_JS_EXPORT: ImportProblem = {
  code: "SYNTAX_ERROR",
  message: "CommonJS exports are not available: a script is an ES module.",
  hint: "Write `export default VALUE`, or set `globalThis.__codemode_result__`.",
};

function describePhase(phase: "source" | "defer"): ImportProblem {
  return {
    code: "IMPORT_FAILURE",
    message: `${phase === "source" ? "Source phase" : "Deferred"} imports are not available in the sandbox.`,
    hint: `Leave out the word \`${phase}\`.`,
  };
}

const DECORATOR: ImportProblem = {
  code: "SYNTAX_ERROR",
  message: "Decorators are not available in the sandbox.",
  hint: "Call the function yourself.",
};

const USING: ImportProblem = {
  code: "SYNTAX_ERROR",
  message: "`using` is not available in the sandbox.",
  hint: "Write `const`, and release the value in a `finally` block.",
};
