import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { findNode, NODE_OF_IMAGE } from "../node-versions/find-node.ts";
import { installPackages } from "../sets/install-packages.ts";
import { podman, podmanOk } from "./podman.ts";

const run = promisify(execFile);
const DEBIAN = "localhost/debian:bookworm-slim";
const NODE = `localhost/node:${NODE_OF_IMAGE}-bookworm-slim`;
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const NPM_SETTINGS = join(homedir(), ".npmrc");

/** A build reaches registries as this machine does: over its network, with its certificates and the user's settings of npm. Nothing of it stays in an image. */
function listBuildOptions(): string[] {
  const mounted = [
    [CERTIFICATES, CERTIFICATES],
    [NPM_SETTINGS, "/root/.npmrc"],
  ].filter(([file = ""]) => existsSync(file));
  const volumes = mounted.flatMap(([from, to]) => ["--volume", `${from}:${to}:ro`]);
  // Only this format has health checks.
  return ["--network=host", "--format=docker", `--env=NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, ...volumes];
}

const exists = async (image: string): Promise<boolean> => (await podman("image", "exists", image)).code === 0;

/** Builds `codemode` and `codemode-project` from the repository's files, on base images that are made of Debian's packages and npm's Node. */
export async function buildImages(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-images-"));
  try {
    if (!(await exists(DEBIAN))) await makeDebian(folder);
    if (!(await exists(NODE))) await makeNode(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await podmanOk("build", ...listBuildOptions(), "--tag", "localhost/codemode", ".");
  await podmanOk("build", ...listBuildOptions(), "--tag", "localhost/codemode-project", "deploy/project");
}

async function makeDebian(folder: string): Promise<void> {
  const archive = join(folder, "debian.tar");
  await run("mmdebstrap", ["--variant=minbase", "--include=ca-certificates", "bookworm", archive]);
  await podmanOk("import", archive, DEBIAN);
}

/** As the official image: Node and npm in /usr/local. */
async function makeNode(folder: string): Promise<void> {
  await installPackages(resolve("test/node-versions"));
  await copyFile(findNode(NODE_OF_IMAGE), join(folder, "node"));
  await chmod(join(folder, "node"), 0o755);
  const { stdout } = await run("npm", ["root", "--global"]);
  await cp(join(stdout.trim(), "npm"), join(folder, "npm"), { recursive: true, verbatimSymlinks: true });
  const lines = [
    `FROM ${DEBIAN}`,
    "COPY node /usr/local/bin/node",
    "COPY npm /usr/local/lib/node_modules/npm",
    "RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\",
    " && apt-get update && apt-get install --yes --no-install-recommends libatomic1 libstdc++6",
  ];
  const file = join(folder, "Containerfile");
  await writeFile(file, `${lines.join("\n")}\n`);
  await podmanOk("build", ...listBuildOptions(), "--file", file, "--tag", NODE, dirname(file));
}
