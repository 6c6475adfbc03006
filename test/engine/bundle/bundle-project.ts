import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { bundleScript, type BundleOutcome } from "../../../engine/bundle/bundle-script.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { Bundle } from "../../../schemas/run/bundle.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { emitLockfile } from "../../templates/emit-lockfile.ts";
import type { GeneratedFile } from "../../../templates/generated-package.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";

const TEXT_INPUT = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

/** Two servers with tools of plain, awkward and hostile kinds. */
const SERVERS = {
  everything: [
    { name: "echo", description: "Says it again.", inputSchema: TEXT_INPUT },
    { name: "get-sum", inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } } },
    { name: "delete", inputSchema: { type: "object" } },
    {
      name: "markup",
      description: "<!-- import('x') -->",
      inputSchema: { type: "object", properties: { tag: { enum: ["<!-- a -->", "import(1)"] } } },
    },
  ],
  files: [
    { name: "list_files", inputSchema: { type: "object" } },
    { name: "read_file", inputSchema: TEXT_INPUT },
  ],
};

/** A project on disk with generated packages, and a folder for scripts. */
export interface BundleProject {
  folder: string;
  generatedFolder: string;
  lockfile: Lockfile;
  /** Writes files below the scripts' folder. */
  write(files: Readonly<Record<string, string>>): void;
  /** Bundles code as an agent sends it (`script.ts`, no files), or the file of that name beside the written ones. */
  bundle(code: string, name?: string): Promise<BundleOutcome>;
  remove(): void;
}

/** The same for every project with the same servers, and slow to make. */
const emitted = new Map<object, Promise<GeneratedFile[]>>();

/** `prefix` is a path, with a slash at its end, that the project's folders lie below. */
export async function makeBundleProject(
  prefix = "",
  servers: Parameters<typeof lockfileOf>[0] = SERVERS,
): Promise<BundleProject> {
  const root = mkdtempSync(join(tmpdir(), "codemode-bundle-"));
  const folder = join(root, prefix, "scripts");
  const generatedFolder = join(root, prefix, "generated");
  mkdirSync(folder, { recursive: true });
  const lockfile = lockfileOf(servers);
  const files = emitted.get(servers) ?? emitLockfile(lockfile);
  emitted.set(servers, files);
  for (const { path, text } of await files) writeFile(join(generatedFolder, path), text);
  return {
    folder,
    generatedFolder,
    lockfile,
    write(files) {
      for (const [path, text] of Object.entries(files)) writeFile(join(folder, path), text);
    },
    bundle: (code, name) =>
      bundleScript(name === undefined ? { code, name: "script.ts" } : { code, name, folder }, {
        generatedFolder,
        lockfile,
      }),
    remove: () => rmSync(root, { recursive: true }),
  };
}

/** A project for all tests of a file, which is removed after them. */
export async function openBundleProject(...given: Parameters<typeof makeBundleProject>): Promise<BundleProject> {
  const project = await makeBundleProject(...given);
  afterAll(() => project.remove());
  return project;
}

/** The bundle of an outcome that has to be good. */
export function bundleOf(outcome: BundleOutcome): Bundle {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.diagnostics, null, 2));
  return outcome.bundle;
}

/** The diagnostics of an outcome that has to be bad. */
export function diagnosticsOf(outcome: BundleOutcome): Diagnostic[] {
  if (outcome.ok) throw new Error(`Bundled:\n${outcome.bundle.code}`);
  return outcome.diagnostics;
}

/** `CODE path: hint` of each diagnostic; all have to be errors that tell no path of the machine. */
export async function complaintsOf(project: BundleProject, code: string, name?: string): Promise<string[]> {
  return diagnosticsOf(await project.bundle(code, name)).map(({ severity, code: kind, message, path, hint }) => {
    if (severity !== "error" || message.includes(dirname(project.folder))) throw new Error(message);
    return `${kind} ${path}: ${hint}`;
  });
}

/** `server/export` of each tool in the manifest. */
export function toolsOf(outcome: BundleOutcome): string[] {
  return bundleOf(outcome).manifest.tools.map((tool) => `${tool.serverId}/${tool.exportName}`);
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
