import { nearestName } from "@codemode/runtime/nearest-name";
import { importFailure, type ImportProblem } from "../imports/import-problem.ts";
import { quote } from "../syntax/quote.ts";
import { SERVERS_PREFIX } from "../imports/describe-foreign-import.ts";

type Failure = ReturnType<typeof importFailure>;

/** What is known of a package that may not be imported. */
export interface ForbiddenPackage {
  name: string;
  isInstalled: boolean;
  /** False for code that was sent as text: its sender cannot change the project. */
  isOfProject: boolean;
  allowed: readonly string[];
  /** Names of packages for suggestions. */
  known: readonly string[];
}

export function describeForbidden({ name, isInstalled, isOfProject, allowed, known }: ForbiddenPackage): Failure {
  const shown = quote(name);
  const nearest = nearestName(name, [...allowed, ...known]);
  // Code that was sent as text must not learn what is installed.
  if (!(isInstalled && isOfProject) && nearest !== undefined) {
    return importFailure(`There is no package ${shown}.`, `Did you mean "${nearest}"?`);
  }
  const message = `The package ${shown} is not available: scripts import servers, "@codemode/discovery", "@codemode/errors", modules beside them and packages that the configuration allows.`;
  const allow = `add ${shown} to "bundle": { "allow": […] } in the configuration`;
  if (!isOfProject) {
    const others = allowed.length === 0 ? "" : ` Allowed packages: ${listSome(allowed)}.`;
    return importFailure(message, `Write the code that you need into the script, or have a person ${allow}.${others}`);
  }
  return isInstalled
    ? importFailure(
        `The package ${shown} is installed, but scripts may not import it.`,
        `If it is pure JavaScript, ${allow}.`,
      )
    : importFailure(message, `Install it with \`npm install ${name}\`, and ${allow}.`);
}

export function describeNotInstalled(name: string): Failure {
  return importFailure(
    `The package ${quote(name)} is allowed but not installed.`,
    `Install it in the project, for instance with \`npm install ${name}\`.`,
  );
}

export function describeSubpathOfServer(specifier: string, name: string): Failure {
  return importFailure(
    `The inner module ${quote(specifier)} of a server package cannot be imported.`,
    `Import the tools from "${name}".`,
  );
}

export function describeUnusableServer(name: string, reason: string): Failure {
  return importFailure(
    `The server package ${quote(name)} cannot be used: ${reason}.`,
    "Install it again; if that does not help, ask its publisher.",
  );
}

export function describeUnlockedServer(name: string): Failure {
  return importFailure(
    `The server of the package ${quote(name)} is not locked in this project.`,
    "Add the server to the project, so that it has a place in the configuration and in the lockfile.",
  );
}

export function describeAmbiguousServer(name: string, serverIds: readonly string[]): Failure {
  return importFailure(
    `Several servers of this project have the tools of the package ${quote(name)}.`,
    `Import the one that you mean by its own name: ${listSome(serverIds.map((id) => SERVERS_PREFIX + id))}.`,
  );
}

/** Tools that the package and the project have by one name, and that differ. */
export function describeToolDrift(name: string, toolNames: readonly string[], serverId: string): ImportProblem {
  return {
    code: "LOCK_DRIFT",
    message: `The package ${quote(name)} and the lockfile of this project differ in ${toolNames.slice(0, MAX_LISTED).map(quote).join(", ")} of the server "${serverId}".`,
    hint: `Install the version of ${quote(name)} that was made from the same tools, or lock the server again; "${SERVERS_PREFIX}${serverId}" has the tools as this project has locked them.`,
  };
}

export function describeMissingOfPackage(name: string, exportName: string, serverId: string): ImportProblem {
  return importFailure(
    `The package ${quote(name)} has no tool ${quote(exportName)}.`,
    `Update the package, or import the tool from "${SERVERS_PREFIX}${serverId}".`,
  ).problem;
}

const MAX_LISTED = 10;

function listSome(names: readonly string[]): string {
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return names.slice(0, MAX_LISTED).map(quote).join(", ") + more;
}
