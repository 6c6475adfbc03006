// Links the programs of a Worker, each into one module.
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** The script of an isolate, which the Worker names as it loads one. */
const SCRIPT = "codemode:script";
const SCRIPT_FILE = "./script.js";

/** A module with the text of what an isolate holds beside its script. */
export async function linkIsolate() {
  const text = await linkWorker(fileURLToPath(new URL("worker/isolate.ts", import.meta.url)), new Map());
  return `export default ${JSON.stringify(text)};`;
}

/** Links a module and all that it uses; what the runtime has stays outside. `built` holds texts of modules by their names. */
export async function linkWorker(input, built) {
  const resolveId = (id) => {
    if (id === SCRIPT) return { id: SCRIPT_FILE, external: true };
    return built.has(id) ? `\0${id}` : null;
  };
  const load = (id) => built.get(id.slice(1)) ?? null;
  const bundle = await rolldown({
    input,
    platform: "node",
    resolve: { conditionNames: ["workerd", "worker", "import"] },
    external: /^(?:node|cloudflare):/,
    plugins: [{ name: "built-modules", resolveId, load }],
  });
  const {
    output: [program],
  } = await bundle.generate({ format: "esm", codeSplitting: false });
  await bundle.close();
  return program.code;
}
