import { isBuiltin } from "node:module";
import { ts } from "@ts-morph/common";
import { type Node, parse } from "acorn";

/** What a published program loads that is not a part of it. */
export interface Loaded {
  /** Packages that it names, in the order of their names. */
  packages: string[];
  /** Loads of a name that is computed, as the program has them. */
  computed: string[];
}

/** Functions that load a module by its name; the linked program has `importModule` for `import`. */
const LOADERS = new Set(["require", "importModule"]);

/** Every module that a file loads: imports, exports, `import()`, `require()`, `require.resolve()` and `createRequire(…).resolve()`. Texts are no code. */
export function findLoaded(path: string, text: string): Loaded {
  const names = path.endsWith(".d.ts") ? listTypeImports(text) : listLoads(text);
  const packages = names.flatMap((name) => ("name" in name ? toPackage(name.name) : []));
  return {
    packages: [...new Set(packages)].toSorted(),
    computed: names.flatMap((name) => ("computed" in name ? [name.computed] : [])),
  };
}

type Load = { name: string } | { computed: string };

function listTypeImports(text: string): Load[] {
  const { importedFiles, typeReferenceDirectives } = ts.preProcessFile(text);
  return [...importedFiles, ...typeReferenceDirectives].map(({ fileName }) => ({ name: fileName }));
}

/** A member of a syntax node. */
type Part = Node & { [member: string]: unknown };

function listLoads(text: string): Load[] {
  const loads: Load[] = [];
  const waiting = [parseProgram(text) as unknown as Part];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const source = sourceOf(node);
    if (source !== undefined) loads.push(readName(source, text.slice(node.start, node.end)));
    for (const part of Object.values(node).flat()) if (isNode(part)) waiting.push(part);
  }
  return loads;
}

function parseProgram(text: string): Node {
  const options = { ecmaVersion: "latest", allowHashBang: true, allowReturnOutsideFunction: true } as const;
  try {
    return parse(text, { ...options, sourceType: "module" });
  } catch {
    return parse(text, { ...options, sourceType: "script" });
  }
}

function isNode(part: unknown): part is Part {
  return typeof part === "object" && part !== null && typeof (part as Part).type === "string";
}

/** The node of the name, where a node loads a module. */
function sourceOf(node: Part): Part | undefined {
  if (/^(?:Import|Export)/.test(node.type)) return isNode(node["source"]) ? node["source"] : undefined;
  if (node.type !== "CallExpression") return undefined;
  const [first] = node["arguments"] as Part[];
  return isLoader(node["callee"] as Part) ? first : undefined;
}

function isLoader(callee: Part): boolean {
  if (callee.type === "Identifier") return LOADERS.has(String(callee["name"]));
  if (callee.type !== "MemberExpression" || (callee["property"] as Part)["name"] !== "resolve") return false;
  const of = callee["object"] as Part;
  return of["name"] === "require" || isRequireMaker(of);
}

function isRequireMaker(node: Part): boolean {
  if (node.type !== "CallExpression") return false;
  const callee = node["callee"] as Part;
  // As a linked program calls what it imports: `(0, module.createRequire)(…)`.
  const called = callee.type === "SequenceExpression" ? (callee["expressions"] as Part[]).at(-1) : callee;
  const named = called?.type === "MemberExpression" ? (called["property"] as Part) : called;
  return named?.["name"] === "createRequire";
}

function readName(source: Part, load: string): Load {
  if (source.type === "Literal" && typeof source["value"] === "string") return { name: source["value"] };
  const parts = source.type === "TemplateLiteral" ? (source["quasis"] as { value: { cooked: string } }[]) : [];
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? { name: only.value.cooked } : { computed: load };
}

/** The package of a name; nothing for what is within the package, and for Node's own modules. */
function toPackage(name: string): string[] {
  if (/^[./#]/.test(name) || isBuiltin(name)) return [];
  const [scope = "", rest = ""] = name.split("/");
  return [name.startsWith("@") ? `${scope}/${rest}` : scope];
}
