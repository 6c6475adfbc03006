import { type EnvFilePlace, locateEnvFiles } from "@codemode/runtime/connections/env-files";
import {
  type ServerSubject,
  type TrustSubject,
  trustDigest,
  variablesOf,
  withFileVariables,
} from "@codemode/runtime/project-trust";
import { resolve } from "node:path";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { Config, ServerSource } from "../../../schemas/config/config.ts";
import { listClientServers } from "../client-server.ts";
import { isInside, realPlace } from "../../files/real-place.ts";

/** One thing that a project does to this machine or with its variables, and that needs approval. */
export interface ProjectStart {
  /** The server's name in the configuration, or the key that names a file. */
  name: string;
  subject: TrustSubject;
  /** Another one where anything of the subject is another. */
  digest: string;
  /** The names of the variables that it gets, sorted. */
  variables: readonly string[];
}

/** The programs and addresses of all servers. */
export function startsOfServers(config: Config): ProjectStart[] {
  return config.servers.map((server) => startOf(server, config));
}

/** The servers that run with the values of one client. */
export function clientServersOf(config: Config): ProjectStart[] {
  return listClientServers(config).map(({ client, server }) => ({
    ...startOf(server, config),
    name: `${server.name} for ${client}`,
  }));
}

/** The store that replicas share: it gets the login in its URL, and all that runs keep. */
export function storeOf(config: Config): ProjectStart[] {
  const { store, project } = config.serve;
  if (store === undefined || store === "") return [];
  const subject = { transport: "store" as const, url: store, ...withoutUndefined({ project }) };
  return [toStart("serve.store", withFileVariables(subject, config))];
}

/** A server's program or address. */
export function startOf({ name, source }: { name: string; source: ServerSource }, project: EnvFilePlace): ProjectStart {
  return toStart(name, withFileVariables(serverSubjectOf(source), project));
}

/** The files of variables outside of the project folder: of the whole configuration, and of each server. */
export function envFilesOf(config: Config): ProjectStart[] {
  const ofServers = config.servers.flatMap(({ name, source }) =>
    outsideFilesOf(source, config.folder, `${name}: envFile`),
  );
  return [...outsideFilesOf(config, config.folder), ...ofServers];
}

/** The files of one list that are outside of the project folder. */
export function outsideFilesOf(
  { envFile }: Pick<EnvFilePlace, "envFile">,
  folder: string,
  name = "envFile",
): ProjectStart[] {
  return locateEnvFiles({ folder, envFile })
    .filter(({ isOutside }) => isOutside)
    .map(({ path }) => toStart(name, { transport: "variables", path }));
}

/** The program that starts the sandboxes, where the configuration names one. */
export function sandboxCommandOf({ sandbox }: Config): ProjectStart[] {
  const [command, ...args] = sandbox.command ?? [];
  if (command === undefined) return [];
  return [toStart("sandbox.command", { transport: "stdio", command, args, env: {}, inheritEnv: [] })];
}

/** The audit log where the configuration puts it outside of the project folder. */
export function auditFileOf({ audit, folder }: Config): ProjectStart[] {
  const path = audit === undefined ? undefined : placeOutside(folder, audit.file);
  return path === undefined ? [] : [toStart("audit", { transport: "file", path })];
}

/** The folder of generated packages where the configuration puts it outside of the project folder. */
export function outputFolderOf({ out, folder }: Config): ProjectStart[] {
  const path = placeOutside(folder, out);
  return path === undefined ? [] : [toStart("out", { transport: "folder", path })];
}

/** The real path of what is written for a path of the configuration; undefined inside of the project folder. */
function placeOutside(folder: string, path: string): string | undefined {
  const place = realPlace(resolve(folder, path));
  return isInside(realPlace(folder), place) ? undefined : place;
}

function toStart(name: string, subject: TrustSubject): ProjectStart {
  return { name, subject, digest: trustDigest(subject), variables: variablesOf(subject) };
}

/** What a user approves of a server, as written. */
export function serverSubjectOf(source: ServerSource): ServerSubject {
  if (source.transport === "stdio") {
    const { transport, command, args, env, inheritEnv = [], cwd, roots, envFile } = source;
    return { transport, command, args, env: Object.fromEntries(env), inheritEnv, cwd, roots, envFile };
  }
  const { transport, url, headers, oauth, roots, envFile } = source;
  return { transport, url, headers: Object.fromEntries(headers), oauth: oauth && { ...oauth }, roots, envFile };
}
