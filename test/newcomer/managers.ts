import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { findNode, type NodeMajor } from "../node-versions/find-node.ts";
import type { Programs } from "./machine.ts";

const PACKAGES = resolve("test/newcomer/node_modules");

/** How a newcomer types what a page writes for npm. */
export interface Manager {
  name: string;
  /** What its programs are, by their names. */
  programs: ReadonlyMap<string, string>;
  /** Makes a project, where the installation does not. */
  init?: string;
  install: string;
  /** What the installation prints, where it is known. */
  printed?: string;
  /** In front of `codemode`. */
  exec: string;
  /** The same in front of `codemode add`, where it is another: Yarn 1 takes the `--` away. */
  execAdd?: string;
}

/** All that npm prints after an installation: no warning, and no question about scripts that packages would run. */
export const NPM_PRINTS =
  "\nadded ... packages in ...\n\n... packages are looking for funding\n  run `npm fund` for details\n";

const npm = (major: string): Manager => ({
  name: `npm ${major}`,
  programs: programsOfNpm(major),
  install: "npm install -D codemode",
  printed: NPM_PRINTS,
  exec: "npx",
});

function programsOfNpm(major: string): ReadonlyMap<string, string> {
  return new Map(["npm", "npx"].map((name) => [name, join(PACKAGES, `npm-${major}/bin/${name}-cli.js`)]));
}

/** Every machine has an npm: configurations start servers by `npx`. */
const beside = (name: string, programs: [string, string][], rest: Omit<Manager, "name" | "programs">): Manager => ({
  ...{ name, programs: new Map([...programsOfNpm("10"), ...programs]) },
  ...rest,
});

const ARCHITECTURE = process.arch === "arm64" ? "arm64" : "x64";
const BUN = join(PACKAGES, `@oven/bun-linux-${ARCHITECTURE === "arm64" ? "aarch64" : "x64"}/bin/bun`);
const PNPM = join(PACKAGES, `@pnpm/exe.linux-${ARCHITECTURE}/pnpm`);

const OTHER_MANAGERS: readonly Manager[] = [
  beside("pnpm 12", [["pnpm", PNPM]], { install: "pnpm add -D codemode", exec: "pnpm exec" }),
  beside("yarn 1", [["yarn", join(PACKAGES, "yarn/bin/yarn.js")]], {
    install: "yarn add -D codemode",
    exec: "yarn",
    execAdd: "npx",
  }),
  beside("yarn 4", [["yarn", join(PACKAGES, "@yarnpkg/cli-dist/bin/yarn.js")]], {
    init: "yarn init -y && yarn config set nodeLinker node-modules",
    install: "yarn add -D codemode",
    exec: "yarn",
  }),
  beside(
    "bun 1",
    [
      ["bun", BUN],
      ["bunx", BUN],
    ],
    { install: "bun add -d codemode", exec: "bunx" },
  ),
];

/** Whether a manager is there for this machine's processor and system. */
export function isInstalled({ programs }: Manager): boolean {
  return [...programs.values()].every((path) => existsSync(path));
}

/** Each version of Node with the npm that comes with it, or that its users update to. */
const NPM_BY_NODE: readonly [readonly [NodeMajor, Manager], ...(readonly [NodeMajor, Manager])[]] = [
  ["20", npm("10")],
  ["22", npm("10")],
  ["24", npm("11")],
  ["26", npm("12")],
];

/** What README and tutorial ask for at least. */
export const OLDEST = NPM_BY_NODE[0];

/** `NEWCOMER=all` tries all that a newcomer may have; else what is most common, in a fraction of the time. */
export const TRIES_ALL = process.env["NEWCOMER"] === "all";

/** The stories: one with another package manager and the newest Node; with `NEWCOMER=all` every manager, and npm on every Node. */
export const STORIES: readonly (readonly [NodeMajor, Manager])[] = TRIES_ALL
  ? [...NPM_BY_NODE, ...OTHER_MANAGERS.map((manager) => ["20", manager] as const)]
  : [["26", OTHER_MANAGERS[0] as Manager]];

export function programsFor(major: NodeMajor, { programs }: Manager): Programs {
  return { node: findNode(major), others: programs };
}
