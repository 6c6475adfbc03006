import { byCodeUnits } from "../../../schemas/json/canonical-json.ts";
import type { VersionProposal } from "../propose-version.ts";
import { formatLockfile } from "../../../schemas/lock/format-lockfile.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { modulesOf } from "../../../schemas/lock/operations.ts";
import { emitServer } from "../../../templates/emit.ts";
import type { GeneratedFile } from "../../../templates/generated-file.ts";
import { planServer } from "../../../templates/plan.ts";
import type { ServerPlan } from "../../../templates/server-plan.ts";
import { chooseExample } from "./choose-example.ts";
import { printChangelog } from "./print-changelog.ts";
import { PACKED_BOM, printBom } from "./print-bom.ts";
import { isForJsr, nameOwnTypes, printJsr } from "./print-jsr.ts";
import { PACKED_LOCKFILE, printManifest } from "./print-manifest.ts";
import { printReadme } from "./print-readme.ts";

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
