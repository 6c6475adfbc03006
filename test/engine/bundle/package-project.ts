import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { bundleScript, type BundleOutcome } from "../../../engine/bundle/bundle-script.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { formatLockfile } from "../../../schemas/lock/lockfile-text.ts";
import type { LockedServer, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { printManifest } from "../../../extras/publish/package/print-manifest.ts";
import { type BundleProject, diagnosticsOf, makeBundleProject } from "./bundle-project.ts";

export interface ProjectBundleOptions {
  allow?: readonly string[];
  lockfile?: Lockfile;
  /** The folder of the script below the project's; absent for code that is sent as text. */
  folder?: string;
}

/** A project with packages in its `node_modules`. */
export interface PackageProject extends BundleProject {
  /** The project's folder. */
  root: string;
  /** Writes a package below `node_modules`, or below another path of the project; `manifest` comes over the usual members. */
  install(name: string, files: Readonly<Record<string, string>>, manifest?: object, path?: string): void;
  /** Installs what `codemode pack` makes of a server; its code throws, because it must never be bundled. */
  publish(name: string, server: LockedServer, path?: string): void;
  /** Makes a symbolic link at a path of the project. */
  link(path: string, target: string): void;
  bundleWith(code: string, options?: ProjectBundleOptions): Promise<BundleOutcome>;
}

export async function makePackageProject(prefix = ""): Promise<PackageProject> {
  const project = await makeBundleProject(prefix);
  const root = dirname(project.folder);

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const install: PackageProject["install"] = (name, files, manifest = {}, path = `node_modules/${name}`) => {
    write(`${path}/package.json`, JSON.stringify({ name, version: "1.2.3", type: "module", ...manifest }));
    for (const [file, text] of Object.entries(files)) write(`${path}/${file}`, text);
  };
  return {
    ...project,
    root,
    install,
    publish(name, server, path = `node_modules/${name}`) {
      write(`${path}/package.json`, printManifest({ name, version: "1.0.0", inherited: {} }, server));
      write(`${path}/codemode.lock.json`, formatLockfile({ servers: new Map([[server.id, server]]) }));
      write(`${path}/index.js`, 'throw new Error("the code of the server package was bundled");');
    },
    link(path, target) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      symlinkSync(target, join(root, path));
    },
    bundleWith(code, { allow = [], lockfile = project.lockfile, folder } = {}) {
      const place = folder === undefined ? {} : { folder: join(root, folder) };
      const packages = { folder: root, allow };
      const script = { code, name: "script.ts", ...place };
      return bundleScript(script, { generatedFolder: project.generatedFolder, lockfile, packages });
    },
  };
}

/** The first diagnostic of code that cannot be bundled; none may tell a path of the machine. */
export async function firstComplaint(
  project: PackageProject,
  code: string,
  options: ProjectBundleOptions = {},
): Promise<Diagnostic> {
  const [diagnostic] = diagnosticsOf(await project.bundleWith(code, options));
  if (diagnostic === undefined || JSON.stringify(diagnostic).includes(project.root)) {
    throw new Error(JSON.stringify(diagnostic));
  }
  return diagnostic;
}

/** Links a package that is installed here into the project, as a package manager links to its store. */
export function linkInstalled(project: PackageProject, name: string): void {
  project.link(`node_modules/${name}`, realpathSync(resolve("node_modules", name)));
}
