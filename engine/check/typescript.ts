/*
 * TypeScript as a library: the one place that brings it in, and only the process that checks scripts loads it. The compiler that
 * builds codemode itself has no such interface.
 */
import { getLibFiles, ts } from "@ts-morph/common";

export { ts };

/** Where the declarations of the language stand among the virtual files. */
export const LIBRARY_FOLDER = "/lib/";

let libraries: ReadonlyMap<string, string> | undefined;

/** The text of a declaration file of the language, such as `/lib/lib.es2023.d.ts`; those of browsers and the like are not there. */
export function readLibrary(path: string): string | undefined {
  const ofLanguage = /^lib\.(?:es|decorators)/;
  libraries ??= new Map(
    getLibFiles()
      .filter(({ fileName }) => ofLanguage.test(fileName))
      .map(({ fileName, text }) => [LIBRARY_FOLDER + fileName, text]),
  );
  return libraries.get(path);
}
