import type { SourceMap } from "../../../../schemas/run/bundle.ts";
import type { ReportedSource } from "../../../../schemas/run/run-report.ts";

/** The texts of the script and of its own modules, the script first. Bindings and packages have names only in a source map. */
export function sourcesOf({ sources, sourcesContent = [] }: SourceMap, script: string): ReportedSource[] {
  const found = sources.flatMap((name, index) => {
    const text = sourcesContent[index];
    return typeof text === "string" && !name.startsWith("\0") ? [{ name, text }] : [];
  });
  const isMain = ({ name }: ReportedSource): boolean => name === script;
  return [...found.filter(isMain), ...found.filter((source) => !isMain(source))];
}
