import { SourceTextModule, SyntheticModule } from "node:vm";

/**
 * What plain Node says of the text of a module before it runs: `accepted`, `refused`, or `foreign` where it imports what Node cannot know
 * here. Needs `--experimental-vm-modules`.
 *
 * @param {string} code
 * @param {ReadonlyMap<string, readonly string[]>} exportsOf the names that modules export, by specifier
 * @returns {Promise<{ kind: "accepted" | "refused" | "foreign", message: string }>}
 */
export async function askNode(code, exportsOf) {
  try {
    const module = new SourceTextModule(code);
    await module.link((specifier) => {
      const names = exportsOf.get(specifier);
      if (names === undefined) throw new ForeignImport(specifier);
      return new SyntheticModule(names, () => undefined);
    });
    return { kind: "accepted", message: "" };
  } catch (error) {
    return { kind: error instanceof SyntaxError ? "refused" : "foreign", message: String(error) };
  }
}

class ForeignImport extends Error {}
