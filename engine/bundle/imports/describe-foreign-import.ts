import { isBuiltin } from "node:module";
import { nearestName } from "@codemode/runtime/nearest-name";
import { importFailure, type ImportOutcome, quote } from "../modules/import-problem.ts";
import { SERVERS_PREFIX } from "../modules/module-ids.ts";

/** Says that there is no such result, in the same words where it is gone, belongs to another client, or never was. */
export function describeUnknownResult(id: string): ImportOutcome {
  return importFailure(
    `There is no result ${quote(id)}.`,
    "A long result is kept for some minutes, and only for the agent whose script returned it: run that script again.",
  );
}

/** Says why a script cannot import something that is neither a server, nor codemode's, nor a file beside it. */
export function describeForeignImport(specifier: string, serverIds: readonly string[]): ImportOutcome {
  const shown = quote(specifier);
  if (isBuiltin(specifier)) {
    return importFailure(
      `The module ${shown} is part of Node, and the sandbox has no Node API.`,
      `Tools are the only way out of the sandbox: import one from a server. ${listServers(serverIds)}`,
    );
  }
  if (specifier.startsWith("/") || specifier.startsWith("\\") || /^[a-z]:[\\/]/i.test(specifier)) {
    return importFailure(
      `The absolute path ${shown} cannot be imported.`,
      'Import modules beside the script by a relative path such as "./name.ts".',
    );
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(specifier)) {
    return importFailure(
      `The URL ${shown} cannot be imported: the sandbox has no network.`,
      `Tools are the only way out of the sandbox: import one from a server. ${listServers(serverIds)}`,
    );
  }
  if (serverIds.includes(specifier)) {
    return importFailure(
      `The package ${shown} is not available.`,
      `For the server write "${SERVERS_PREFIX}${specifier}".`,
    );
  }
  if (specifier === "codemode") {
    return importFailure(`${shown} is the library for programs: a script imports servers.`, listServers(serverIds));
  }
  if (`${specifier}/` === SERVERS_PREFIX) {
    return importFailure(`${shown} is not a module: each server has its own.`, listServers(serverIds));
  }
  if (specifier.startsWith("@codemode/")) {
    const nearest = nearestName(specifier, [
      "@codemode/discovery",
      "@codemode/errors",
      "@codemode/results",
      ...serverIds.map((id) => SERVERS_PREFIX + id),
    ]);
    return importFailure(
      `There is no module ${shown}.`,
      nearest === undefined ? listServers(serverIds) : `Did you mean "${nearest}"?`,
    );
  }
  return importFailure(
    `The package ${shown} is not available: scripts import servers, "@codemode/discovery", "@codemode/errors" and modules beside them.`,
    "Write the code that you need into the script.",
  );
}

/** Says that a server is unknown. */
export function describeUnlockedServer(serverId: string, serverIds: readonly string[]): ImportOutcome {
  const [firstStep = ""] = serverId.split("/");
  if (serverIds.includes(firstStep)) {
    return importFailure(
      `The inner module ${quote(SERVERS_PREFIX + serverId)} cannot be imported.`,
      `Import the tools from "${SERVERS_PREFIX}${firstStep}".`,
    );
  }
  const nearest = nearestName(serverId, serverIds);
  return importFailure(
    `There is no server ${quote(serverId)}.`,
    nearest === undefined ? listServers(serverIds) : `Did you mean "${SERVERS_PREFIX}${nearest}"?`,
  );
}

/** How many server ids a hint lists at most. */
const LISTED_SERVERS = 10;

function listServers(serverIds: readonly string[]): string {
  if (serverIds.length === 0) return "No server is locked: run `codemode lock`, or add a server with `codemode add`.";
  const more = serverIds.length > LISTED_SERVERS ? ` and ${serverIds.length - LISTED_SERVERS} more` : "";
  const listed = serverIds.slice(0, LISTED_SERVERS).map((id) => `"${SERVERS_PREFIX}${id}"`);
  return `Servers: ${listed.join(", ")}${more}.`;
}
