import { spawnSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import type { Place } from "../docs/follow-steps.ts";

/** What a newcomer's machine has beside the system. */
export interface Programs {
  /** The binary of Node. */
  node: string;
  /** Other programs by their names: paths of files to run. */
  others: ReadonlyMap<string, string>;
}

/** A machine that codemode was never used on. */
export interface Machine {
  /** The folder for projects. */
  work: string;
  home: string;
  /** How a shell starts on it, in a folder. */
  at(cwd: string): Promise<Place>;
}

/** The program that closes a machine: what runs under it sees the system and what it is given, no other folder of this machine. */
const BUBBLEWRAP = findBubblewrap();
export const HOW =
  BUBBLEWRAP === undefined
    ? "an empty home and environment; bubblewrap is not at hand, so other folders of this machine are visible"
    : "bubblewrap: the system, Node and package managers are visible, no other folder of this machine";

/** An installation fetches a hundred packages. */
const STEP_TIMEOUT_MS = 120_000;

/**
 * Makes a machine in an empty folder: a home that holds nothing but the address of the registry, and an environment of `PATH`, `LANG` and `HOME`.
 * @param registry its address, which ends in a slash
 */
export async function makeMachine(folder: string, registry: string, { node, others }: Programs): Promise<Machine> {
  const [home, work, bin, temporary] = ["home", "work", "bin", "tmp"].map((name) => join(folder, name)) as Four;
  for (const path of [home, work, bin, temporary]) await mkdir(path, { recursive: true });
  for (const [name, path] of [["node", node] as const, ...others]) await symlink(path, join(bin, name));
  for (const [file, text] of Object.entries(addressOf(registry))) {
    await mkdir(dirname(join(home, file)), { recursive: true });
    await writeFile(join(home, file), text);
  }
  const env = {
    PATH: `${bin}:/usr/bin:/bin`,
    LANG: "C.UTF-8",
    HOME: home,
    ...(BUBBLEWRAP === undefined ? { TMPDIR: temporary } : {}),
  };
  const visible = [node, ...others.values()].map(toFolder);
  let count = 0;
  return {
    work,
    home,
    at: async (cwd) => {
      const steps = join(folder, `steps-${(count += 1)}`);
      await mkdir(steps);
      const wrap = BUBBLEWRAP === undefined ? [] : [BUBBLEWRAP, ...closeUp({ folder, cwd, temporary, visible })];
      return { cwd, env, steps, wrap, stepTimeoutMs: STEP_TIMEOUT_MS };
    },
  };
}

type Four = [string, string, string, string];

/** Where each package manager looks for the address of its registry. What it holds was published a minute ago, which some would wait a day for. */
function addressOf(registry: string): { [file: string]: string } {
  const { hostname } = new URL(registry);
  const berry = [`npmRegistryServer: ${registry}`, `unsafeHttpWhitelist: [${hostname}]`, "npmMinimalAgeGate: 0"];
  return {
    ".npmrc": `registry=${registry}\n`,
    ".yarnrc.yml": `${berry.join("\n")}\n`,
    ".config/pnpm/config.yaml": "minimumReleaseAge: 0\n",
  };
}

/** The folder of a package, or of an installation of Node, that a program reads its own files from. */
function toFolder(program: string): string {
  const [, ofPackage] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(program) ?? [];
  return ofPackage ?? dirname(dirname(program));
}

/** A container may have it and not allow it. */
function findBubblewrap(): string | undefined {
  const words = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"];
  const candidates = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "bwrap"));
  return candidates.find((program) => spawnSync(program, words, { stdio: "ignore" }).status === 0);
}

interface View {
  folder: string;
  cwd: string;
  temporary: string;
  visible: readonly string[];
}

function closeUp({ folder, cwd, temporary, visible }: View): string[] {
  const system = ["/usr", "/bin", "/lib", "/lib64", "/etc"].flatMap((path) => ["--ro-bind-try", path, path]);
  const programs = visible.filter((path) => path !== "/usr").flatMap((path) => ["--ro-bind", path, path]);
  return [
    ...["--die-with-parent", ...system, "--proc", "/proc", "--dev", "/dev", "--bind", temporary, "/tmp"],
    ...[...programs, "--bind", folder, folder, "--chdir", cwd],
  ];
}
