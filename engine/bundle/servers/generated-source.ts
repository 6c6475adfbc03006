import { readModuleText } from "../imports/author-modules.ts";
import { ownerOf, toOwnedPath } from "../imports/module-ids.ts";
import { runtimeFolder } from "../imports/resolve-imports.ts";
import { type SourceFile, toSourceFile } from "../source-files.ts";
import { findInside } from "../syntax/find-inside.ts";

/** Reads generated modules and those of the runtime, and remembers which. */
export interface GeneratedModules {
  /** The text of a module; null where there is none. */
  read(id: string): string | null;
  files: ReadonlyMap<string, SourceFile>;
}

export function readGenerated(generatedFolder: string): GeneratedModules {
  const files = new Map<string, SourceFile>();
  return {
    files,
    read(id) {
      const folder = ownerOf(id) === "server" ? generatedFolder : runtimeFolder();
      const found = findInside(folder, toOwnedPath(id));
      if (!found.ok) return null;
      const text = readModuleText(found.file);
      files.set(found.file, toSourceFile(found.file, text));
      return text;
    },
  };
}
