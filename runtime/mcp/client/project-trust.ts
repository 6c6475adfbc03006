// What this account has approved. codemode's host reads the same records through `@codemode/runtime/project-trust`.

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PLACEHOLDER } from "../../../schemas/config/placeholder.ts";
import { canonicalJson } from "../../../schemas/json/canonical-json.ts";
import { asJson } from "../../../schemas/json/json.ts";
import { isCredentialName } from "../../../schemas/secrets/secret-names.ts";
import { EnvFileProblem, type EnvFilePlace, type FileVariables, readEnvFiles } from "./env-files.ts";
import { stateFolder, stateName } from "./state-folder.ts";

/** The format of a record. */
export const TRUST_VERSION = 1;

/** What files of variables in the project folder give: a change of such a file is a change of what is approved. */
interface FileGifts {
  /** The files of the server itself, as written. */
  envFile?: readonly string[] | undefined;
  /** All variables of these files, and the variables of the project's files that placeholders name. A credential is null: it may be renewed. */
  fromFiles?: Readonly<Record<string, string | null>> | undefined;
}

/** The program or the address of a server, and all that it is given, as written. */
export type ServerSubject = FileGifts & (ProgramSubject | AddressSubject);

type ProgramSubject = {
  transport: "stdio";
  command: string;
  args: readonly string[];
  /** Values as written: a literal `NODE_OPTIONS` decides what runs, just as an argument does. */
  env: Readonly<Record<string, string>>;
  /** Names of variables, sorted. */
  inheritEnv: readonly string[];
  cwd?: string | undefined;
  roots?: readonly string[] | undefined;
};

type AddressSubject = {
  transport: "http" | "sse";
  url: string;
  headers: Readonly<Record<string, string>>;
  oauth?: Readonly<Record<string, unknown>> | undefined;
  /** Folders that the server may know of: some work in them. */
  roots?: readonly string[] | undefined;
};

/** What the owner of an account approves. */
export type TrustSubject =
  | ServerSubject
  /** The URL of a database that keeps runs, as written, and the name of the project whose runs they are. */
  | { transport: "store"; url: string; project?: string; fromFiles?: FileGifts["fromFiles"] }
  /** The real path of a file, or of a folder with all that is in it, that is written outside of the project folder. */
  | { transport: "file" | "folder"; path: string }
  /** The real path of a file of variables outside of the project folder. */
  | { transport: "variables"; path: string };

/** One approval in a record. */
export interface TrustedSubject {
  /** The name at that time, for people who look into the file. */
  name: string;
  /** See `trustDigest`. */
  digest: string;
}

/** What a record holds: one file for each project folder of an account. */
export interface TrustRecord {
  version: typeof TRUST_VERSION;
  folder: string;
  trusted: readonly TrustedSubject[];
}

/** Identifies a subject: any change of a program, an argument, a variable or an address gives another digest. */
export function trustDigest(subject: TrustSubject): string {
  return `sha256-${createHash("sha256")
    .update(canonicalJson(asJson(subject)), "utf8")
    .digest("base64")}`;
}

/** Whether the environment approves everything, as in an image or a CI job. */
export function isTrustGiven(env: NodeJS.ProcessEnv = process.env): boolean {
  return env["CODEMODE_TRUST"] === "1";
}

/** The file that holds the approvals to a project folder, which is identified by its real path. */
export function trustRecordPath(folder: string, env: NodeJS.ProcessEnv = process.env): string {
  return join(stateFolder(env), "trust", `${stateName(folder)}.json`);
}

/** The approvals to a project folder; none where there is no record, or it cannot be read. One small file: it is read at once. */
export function readTrustRecord(folder: string, env: NodeJS.ProcessEnv = process.env): readonly TrustedSubject[] {
  try {
    const record = JSON.parse(readRecord(trustRecordPath(folder, env))) as Partial<TrustRecord>;
    return record.version === TRUST_VERSION && Array.isArray(record.trusted) ? record.trusted : [];
  } catch {
    return [];
  }
}

const LARGEST_RECORD = 16 * 1024 * 1024;

/** A pipe would wait for a writer, and a device has no end: they hold no record. */
function readRecord(path: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    return found.isFile() && found.size <= LARGEST_RECORD ? readFileSync(file, "utf8") : "";
  } finally {
    closeSync(file);
  }
}

/** The names of the variables that a text as written takes from the environment, each once. */
export function placeholdersOf(text: string): string[] {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name]) => name ?? "");
  return [...new Set(names)].filter((name) => name !== "workspaceFolder" && name !== "userHome");
}

/** The names of the variables that a subject gets, sorted; never a value. */
export function variablesOf(subject: TrustSubject): string[] {
  const { texts, names } = writtenIn(subject);
  return [...new Set([...texts.flatMap(placeholdersOf), ...names])].toSorted();
}

/**
 * The same subject with what the project's own files of variables give it. Files outside of the project folder are approved by their paths:
 * a commit in the project cannot change them.
 */
export function withFileVariables<Subject extends TrustSubject>(subject: Subject, project: EnvFilePlace): Subject {
  const own = "envFile" in subject ? readOrNone({ folder: project.folder, envFile: subject.envFile }) : {};
  const shared = readOrNone(project);
  const used = variablesOf(subject).filter((name) => Object.hasOwn(shared, name));
  const given = { ...Object.fromEntries(used.map((name) => [name, shared[name] as string])), ...own };
  if (Object.keys(given).length === 0) return subject;
  const fromFiles = Object.entries(given).map(([name, value]) => [name, isCredentialName(name) ? null : value]);
  return { ...subject, fromFiles: Object.fromEntries(fromFiles) as FileGifts["fromFiles"] };
}

/** A file that cannot be used is said where its variables are needed, and nothing starts there. */
function readOrNone(place: EnvFilePlace): FileVariables {
  try {
    return readEnvFiles(place, ({ isOutside }) => !isOutside);
  } catch (error) {
    if (error instanceof EnvFileProblem) return {};
    throw error;
  }
}

function writtenIn(subject: TrustSubject): { texts: string[]; names: readonly string[] } {
  if ("path" in subject) return { texts: [], names: [] };
  const given = Object.keys(subject.fromFiles ?? {});
  if (subject.transport === "store") return { texts: [subject.url], names: given };
  const { roots = [] } = subject;
  if (subject.transport === "stdio") {
    const { command, args, env, cwd = "", inheritEnv } = subject;
    return { texts: [command, ...args, ...Object.values(env), cwd, ...roots], names: [...inheritEnv, ...given] };
  }
  const { url, headers, oauth = {} } = subject;
  return { texts: [url, ...Object.values(headers), ...Object.values(oauth).map(String), ...roots], names: given };
}
