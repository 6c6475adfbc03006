import { posix } from "node:path";
import { readModuleText } from "../bundle/imports/author-modules.ts";
import { type ScriptSource, toModulePath } from "../bundle/bundle-script.ts";
import { findScriptModule } from "../bundle/imports/find-script-module.ts";
import { findModuleWords, type ModuleWords } from "./module-words.ts";

/** Where the script and the modules beside it stand among the virtual files. */
const SCRIPT_FOLDER = "/script/";

/** One file that the author wrote. */
export interface AuthorFile {
  /** Shown in diagnostics. */
  name: string;
  text: string;
  words: ModuleWords;
  /** The virtual paths of the modules that its relative specifiers mean. */
  imports: ReadonlyMap<string, string>;
}

/** Reads the script and everything beside it that it reaches, by virtual path; the script is the first. */
export function readAuthorFiles(script: ScriptSource): Map<string, AuthorFile> {
  const files = new Map<string, AuthorFile>();
  const waiting = [{ path: toModulePath(script.name), name: script.name, read: () => script.code }];
  for (const { path, name, read } of waiting) {
    const virtualPath = toVirtualPath(path);
    if (files.has(virtualPath)) continue;
    const text = maskHashbang(read());
    const words = findModuleWords(virtualPath, text);
    const imports = new Map<string, string>();
    for (const specifier of words.specifiers) {
      if (!/^\.{1,2}(\/|$)/.test(specifier)) continue;
      const found = findScriptModule(script.folder, path, specifier);
      if (!found.ok) continue;
      imports.set(specifier, toVirtualPath(found.relativePath));
      waiting.push({ path: found.relativePath, name: found.relativePath, read: () => readModuleText(found.file) });
    }
    files.set(virtualPath, { name, text, words, imports });
  }
  return files;
}

/** The bundler takes every ending that is not JavaScript's for TypeScript. */
function toVirtualPath(path: string): string {
  const isKnown = [".ts", ".mts", ".js", ".mjs", ".json"].includes(posix.extname(path)) && !path.endsWith(".d.ts");
  return SCRIPT_FOLDER + (isKnown ? path : `${path}.ts`);
}

/** An ordinary comment of the same length: places stay where they are. */
function maskHashbang(text: string): string {
  return text.startsWith("#!") ? `//${text.slice(2)}` : text;
}
