import type { FoundTool } from "../../engine/search-tools.ts";

/** Texts of tools, the import before each that comes from another server than the one above it. */
export function printUnderImports(found: readonly FoundTool[], texts: readonly string[]): string {
  const blocks = found.map(({ server }, position) => {
    const isFirst = found[position - 1]?.server !== server;
    return `${isFirst ? `\n// from "@codemode/servers/${server.id}"\n` : ""}${texts[position]}`;
  });
  return blocks.join("\n");
}
