import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("./", import.meta.url));

/** The Node versions that sandboxes are tested on: this one, and those of the package beside this file. */
export const NODE_VERSIONS = ["20", "22", "24"] as const;

/** The version in the image: only what it alone can do is tested on it. */
export const NODE_OF_IMAGE = "26";

/** Every version that a sandbox may run on: what holds a script back is tested on each of them. */
export const ALL_NODE_VERSIONS = ([...NODE_VERSIONS, NODE_OF_IMAGE] as const).filter(isWanted);

export type NodeMajor = (typeof NODE_VERSIONS)[number] | typeof NODE_OF_IMAGE;

/** `TEST_NODE_VERSIONS=20` tests sandboxes on that version alone. */
function isWanted(major: NodeMajor): boolean {
  const wanted = process.env["TEST_NODE_VERSIONS"];
  return wanted === undefined || wanted.split(",").includes(major);
}

/** The binary of a Node version. The long tests install them all. */
export function findNode(major: NodeMajor): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const binary = `${FOLDER}node_modules/node-${major}/bin/node`;
  if (!existsSync(binary))
    throw new Error(
      `Node ${major} is not installed for the tests: run \`npm ci --engine-strict=false --prefix test/node-versions\`.`,
    );
  return binary;
}
