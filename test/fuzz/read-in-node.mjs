// Says what plain Node has against the text of a module before it runs, with the names that the modules export which it may import.
import { SourceTextModule, SyntheticModule } from "node:vm";

process.on("message", async ({ code, exportsOf }) => process.send(await read(code, exportsOf)));

async function read(code, exportsOf) {
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
