import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { minify } from "oxc-minify";
import { rollup } from "rollup";

const RUNTIME = resolve("runtime/bindings");

/** The conditions that a bundler for browsers sets; `node` is not among them. */
const CONDITIONS = ["browser", "import", "default"];

type Target = string | { [condition: string]: Target };

export interface BrowserBundle {
  /** A script whose value is what the entry exports. */
  code: string;
  /** The same, minified. */
  minified: string;
  /** What it was made of, without the entry. */
  modules: string[];
}

/**
 * Bundles a module for a browser. All of its imports must be in the bundle: it has no externals, of Node or other.
 * @param replace gives the text of modules that are not to be read, by path
 */
export async function bundleForBrowser(
  entry: string,
  replace: (path: string) => string | undefined = () => undefined,
): Promise<BrowserBundle> {
  const { imports, exports } = JSON.parse(await readFile(join(RUNTIME, "package.json"), "utf8")) as {
    [section: string]: { [name: string]: Target };
  };
  const bundle = await rollup({
    input: "entry",
    onLog: (_, { message }) => {
      throw new Error(message);
    },
    plugins: [
      {
        name: "browser",
        resolveId(specifier, importer) {
          if (specifier === "entry") return "entry";
          if (specifier.startsWith(".")) return resolve(dirname(importer ?? ""), specifier);
          if (specifier.startsWith("#")) return pick(imports?.[specifier]);
          if (specifier.startsWith("@codemode/runtime/")) return pick(exports?.[`./${specifier.slice(18)}`]);
          if (specifier.startsWith("@codemode/servers/")) return resolve(`generated/${specifier.slice(18)}/index.js`);
          throw new Error(`${specifier} is not for browsers`);
        },
        load: (path) => (path === "entry" ? entry : (replace(path) ?? readFile(path, "utf8"))),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "iife", name: "bundle", exports: "named" });
  await bundle.close();
  const { code, modules } = output[0];
  const { code: minified } = await minify("bundle.js", code);
  const kept = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0);
  return { code, minified, modules: kept.map(([path]) => path).filter((path) => path !== "entry") };
}

function pick(target: Target | undefined): string {
  if (typeof target === "string") return join(RUNTIME, target);
  const found = Object.entries(target ?? {}).find(([condition]) => CONDITIONS.includes(condition));
  if (found === undefined) throw new Error("nothing for browsers");
  return pick(found[1]);
}
