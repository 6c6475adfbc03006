import { byCodeUnits } from "../../../schemas/json/canonical-json.ts";
import type { VersionProposal } from "../propose-version.ts";
import { formatLockfile } from "../../../schemas/lock/lockfile-text.ts";
import { type JsonObject, ownValue } from "../../../schemas/json/json.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { modulesOf, countOperations } from "../../../schemas/lock/operations.ts";
import { emitServer } from "../../../templates/emit.ts";
import { RUNTIME_VERSION, type GeneratedFile } from "../../../templates/generated-package.ts";
import { planServer } from "../../../templates/plan.ts";
import type { ServerPlan } from "../../../templates/server-plan.ts";
import { chooseExample } from "./choose-example.ts";
import { PACKED_BOM, printBom } from "./print-bom.ts";
import { PACKED_LOCKFILE, printManifest, moduleFolder, type PackageIdentity } from "./print-manifest.ts";
import { printReadme } from "./print-readme.ts";
import { type Change, CHANGE_SEVERITIES, CHANGE_SEVERITY_NAMES } from "../../../schemas/diff/change.ts";
import { toMarkdownCode } from "./markdown-text.ts";

/** The changelog's name in a server package. */
export const CHANGELOG = "CHANGELOG.md";

/** What all releases of a server package have in common. */
export interface PackageSubject {
  name: string;
  server: LockedServer;
  /** Members of the project's own `package.json` that hold for its packages too. */
  inherited: JsonObject;
}

/** The files of a server package that do not depend on its version. */
export async function emitPackageBody({ name, server }: PackageSubject): Promise<GeneratedFile[]> {
  const plans = modulesOf(server).map(planServer);
  const emitted = (await Promise.all(plans.map(emitServer))).flat();
  const modules = emitted.map(({ path, text }) => ({ path: path.slice(server.id.length + 1), text }));
  const example = chooseExample(plans[0] as ServerPlan, server);
  return [
    ...(isForJsr(name) ? nameOwnTypes(modules) : modules),
    { path: "README.md", text: printReadme(name, server, example) },
    { path: PACKED_LOCKFILE, text: formatLockfile({ servers: new Map([[server.id, server]]) }) },
  ];
}

/** The files of one release, sorted by path. `older` is the changelog of the release before. */
export function emitRelease(
  { name, server, inherited }: PackageSubject,
  body: readonly GeneratedFile[],
  release: VersionProposal,
  older?: string,
): GeneratedFile[] {
  const identity = { name, version: release.version, inherited };
  const files = [
    ...body,
    { path: "package.json", text: printManifest(identity, server) },
    { path: PACKED_BOM, text: printBom(identity, server) },
    ...(isForJsr(name) ? [{ path: "jsr.json", text: printJsr(identity, server) }] : []),
    { path: CHANGELOG, text: printChangelog(release, server, older) },
  ];
  return files.toSorted((left, right) => byCodeUnits(left.path, right.path));
}

/** Whether JSR takes a package of that name: it has scopes only. */
function isForJsr(name: string): boolean {
  return name.startsWith("@");
}

/** The `jsr.json` of a package. JSR takes none without a license. */
function printJsr({ name, version, inherited }: PackageIdentity, server: LockedServer): string {
  const exports = modulesOf(server).map(({ id }) => [moduleFolder(id), `${moduleFolder(id)}/index.js`] as const);
  const license = ownValue(inherited, "license");
  const manifest = {
    name,
    version,
    license: typeof license === "string" ? license : undefined,
    exports: Object.fromEntries(exports),
    imports: { "@codemode/runtime/": `npm:/@codemode/runtime@${RUNTIME_VERSION}/` },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** JSR and Deno find the types of a module in its first line; npm's readers find them beside it. */
function nameOwnTypes(modules: readonly GeneratedFile[]): GeneratedFile[] {
  const paths = new Set(modules.map(({ path }) => path));
  return modules.map(({ path, text }) => {
    const types = path.replace(/\.js$/, ".d.ts");
    if (types === path || !paths.has(types)) return { path, text };
    return { path, text: `/* @ts-self-types="./${types.slice(types.lastIndexOf("/") + 1)}" */\n${text}` };
  });
}

const TITLE = "# Changelog\n";

/**
 * The changelog with one section more, the newest on top. It names no date: the same releases give the same text.
 * @param older the changelog of the release before
 */
export function printChangelog(release: VersionProposal, server: LockedServer, older?: string): string {
  const section = [`## ${release.version}`, ...describeRelease(release, server, older === undefined)].join("\n\n");
  const rest = older === undefined ? "" : older.slice(older.startsWith(TITLE) ? TITLE.length : 0).trim();
  return `${[TITLE.trim(), section, rest].filter((part) => part !== "").join("\n\n")}\n`;
}

function describeRelease({ change }: VersionProposal, server: LockedServer, isFirst: boolean): string[] {
  if (isFirst) return [`The first release: ${countOperations(server)}.`];
  if (change === undefined) return ["The tools are the same, but codemode now generates different files."];
  const lists = [
    printNames("Removed", change.toolsRemoved),
    printNames("Added", change.toolsAdded),
    printNames("Changed", change.toolsChanged),
  ].filter((line) => line !== undefined);
  const rows = CHANGE_SEVERITIES.flatMap((severity) => change.changes.filter((row) => row.severity === severity));
  const table = ["| change | what | where in the lock entry |", "| --- | --- | --- |", ...rows.map(printRow)];
  return [lists.join("\n"), rows.length === 0 ? "" : table.join("\n")].filter((part) => part !== "");
}

function printNames(verb: string, names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `- ${verb}: ${names.map(toMarkdownCode).join(", ")}`;
}

function printRow({ severity, summary, pointer }: Change): string {
  return `| ${CHANGE_SEVERITY_NAMES[severity]} | ${toMarkdownCode(summary)} | ${toMarkdownCode(pointer)} |`;
}
