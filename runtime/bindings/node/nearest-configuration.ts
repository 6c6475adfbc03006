import { type CallFailure, describeUnknownServer } from "../call-failure.ts";
import type { PerformTool } from "../registered-callers.ts";
import { locateEnvFiles } from "../../mcp/client/env-files.ts";
import { type ServerSettings, trustSubjectOf } from "./configuration.ts";
import { findConfiguration } from "./find-configuration.ts";
import {
  isTrustGiven,
  readTrustRecord,
  trustDigest,
  type TrustSubject,
  withFileVariables,
} from "../../mcp/client/project-trust.ts";
import { type ProjectConfiguration, readConfiguration } from "./read-configuration.ts";
import { ServerSet } from "./server-set.ts";

/** The servers of a configuration that the program does not name: it is found on the way up from the working folder. */
interface FoundServers {
  servers: ServerSet;
  /** Says why a server must not be started; undefined where it may. */
  refuse(serverId: string): CallFailure | undefined;
}

/** By the folder from which it was searched: a program may change its folder, and its servers stay. */
const found = new Map<string, Promise<FoundServers>>();

/** Calls a tool of a server that the nearest configuration names, from the working folder upwards. */
export const callByNearestConfiguration: PerformTool = async (tool, inputJson) => {
  const folder = process.cwd();
  let searching = found.get(folder);
  if (searching === undefined) {
    searching = load(folder);
    found.set(folder, searching);
    // A fixed configuration needs no restart.
    searching.catch(() => found.delete(folder));
  }
  const { servers, refuse } = await searching;
  if (servers.has(tool.serverId)) {
    const error = refuse(tool.serverId);
    return error === undefined ? servers.call(tool, inputJson) : { ok: false, error };
  }
  const otherwise = 'Add it to codemode.config.json, or give it to connect() of "@codemode/runtime/connect".';
  return { ok: false, error: describeUnknownServer(tool.serverId, servers.ids(), otherwise) };
};

async function load(folder: string): Promise<FoundServers> {
  const { file } = findConfiguration(folder);
  const nothing = { folder, servers: new Map<string, never>(), drift: "warn" } as const;
  const configuration = file === undefined ? nothing : await readConfiguration(file);
  return { servers: new ServerSet(configuration), refuse: makeTrustCheck(configuration) };
}

/** The server, and the files outside of the project folder that give it variables. */
function subjectsOf(settings: ServerSettings): TrustSubject[] {
  const { folder, envFile, project } = settings;
  const files = [...locateEnvFiles(project), ...locateEnvFiles({ folder, envFile })].filter(
    ({ isOutside }) => isOutside,
  );
  return [
    withFileVariables(trustSubjectOf(settings), project),
    ...files.map(({ path }) => ({ transport: "variables" as const, path })),
  ];
}

/**
 * A program that lies in one folder may be started in another, which is a stranger's: what its configuration names starts only with the
 * approval of this account, as with the command. A program that names its servers itself (`connect`) decides for itself.
 */
function makeTrustCheck({ folder, servers }: ProjectConfiguration): FoundServers["refuse"] {
  const trusted = new Set<string>();
  return (serverId) => {
    const settings = servers.get(serverId);
    if (settings === undefined || trusted.has(serverId) || isTrustGiven()) return undefined;
    const known = new Set(readTrustRecord(folder).map(({ digest }) => digest));
    if (subjectsOf(settings).every((subject) => known.has(trustDigest(subject)))) {
      trusted.add(serverId);
      return undefined;
    }
    return {
      errorClass: "ServerNotFoundError",
      message: `The server "${serverId}" of ${folder} is not trusted on this account, so it was not started.`,
      hint: `Look at it with \`codemode trust --list\`, then run \`codemode trust\` there once; or set CODEMODE_TRUST=1.`,
    };
  };
}
