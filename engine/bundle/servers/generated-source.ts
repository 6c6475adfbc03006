import { ownerOf, toOwnedPath, runtimeFolder } from "../modules/module-ids.ts";
import { type SourceFile, toSourceFile, findInside, readModuleText } from "../modules/source-files.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { serverIdOf } from "../../../schemas/lock/operations.ts";

/** Reads generated modules and those of the runtime, and remembers which. */
export interface GeneratedModules {
  /** The text of a module; null where there is none. */
  read(id: string): string | null;
  files: ReadonlyMap<string, SourceFile>;
}

/** A server whose package lies elsewhere is read there (`LockedServer.packageFolder`). */
export function readGenerated(generatedFolder: string, { servers }: Lockfile): GeneratedModules {
  const files = new Map<string, SourceFile>();
  return {
    files,
    read(id) {
      const path = toOwnedPath(id);
      const packages = servers.get(serverIdOf(path))?.packageFolder ?? generatedFolder;
      const found = findInside(ownerOf(id) === "server" ? packages : runtimeFolder(), path);
      if (!found.ok) return null;
      const text = readModuleText(found.file);
      files.set(found.file, toSourceFile(found.file, text));
      return text;
    },
  };
}
