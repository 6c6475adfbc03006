import { isTrustGiven, readTrustRecord } from "@codemode/runtime/project-trust";
import type { Config, ServerConfig } from "../../../schemas/config/config.ts";
import { projectUntrusted } from "../../../schemas/errors.ts";
import { maskSecrets } from "../../../schemas/secrets/mask-secrets.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import { outsideFilesOf, type ProjectStart, startOf } from "./project-starts.ts";
import { GATED_SETTINGS, type GatedSetting, listStarts } from "./gated-settings.ts";

/** The account has not approved something that is about to start. */
export class ProjectUntrusted extends CodemodeError {
  /** The project folder, to which an approval belongs. */
  readonly folder: string;
  /** All of the project that has no approval yet, so that one question is enough. */
  readonly starts: readonly ProjectStart[];

  constructor(folder: string, starts: readonly ProjectStart[]) {
    const { code, exitCode, message, hint } = projectUntrusted(starts.map(summarize));
    super(code, exitCode, message, hint);
    this.folder = folder;
    this.starts = starts;
  }
}

/**
 * The one gate before a program starts, an address is reached, or a file outside of the project is read or written. Throws `ProjectUntrusted`
 * unless the user vouches for this command (`--trust`, `CODEMODE_TRUST=1`), or this account has trusted exactly that before.
 * @param server with the values that it starts with; all servers where absent
 */
export function assertTrusted(config: Config, server?: Pick<ServerConfig, "name" | "source">): void {
  if (isVouchedFor(config)) return;
  assertAll(
    config,
    (server === undefined ? config.servers : [server]).map((each) => startOf(each, config)),
  );
}

/** The same gate before a list of files of variables is read. */
export function assertFilesTrusted(config: Config, list: Pick<Config, "envFile">): void {
  if (!isVouchedFor(config)) assertAll(config, outsideFilesOf(list, config.folder));
}

/** The same gate for one setting beside the servers, before what it names is started, reached or written. */
export function assertSettingTrusted(config: Config, setting: GatedSetting): void {
  if (!isVouchedFor(config)) assertAll(config, GATED_SETTINGS[setting](config));
}

/** Whether nothing has to be asked for this start: the user vouches for this command, or has trusted exactly that before. */
export function isTrustedStart(config: Config, start: ProjectStart): boolean {
  return isVouchedFor(config) || withoutTrusted(config, [start]).length === 0;
}

/** What of a project this account has not approved. */
export function listUntrusted(config: Config): ProjectStart[] {
  return withoutTrusted(config, listStarts(config));
}

function isVouchedFor({ isTrusted }: Config): boolean {
  return isTrusted === true || isTrustGiven();
}

function assertAll(config: Config, wanted: readonly ProjectStart[]): void {
  if (withoutTrusted(config, wanted).length > 0) throw new ProjectUntrusted(config.folder, listUntrusted(config));
}

function withoutTrusted({ folder }: Config, starts: readonly ProjectStart[]): ProjectStart[] {
  if (starts.length === 0) return [];
  const trusted = new Set(readTrustRecord(folder).map(({ digest }) => digest));
  return starts.filter(({ digest }) => !trusted.has(digest));
}

/** For an error, which may end in a log: arguments and queries may hold a secret, and are left out. */
function summarize({ name, subject, variables }: ProjectStart): string {
  const place =
    subject.transport === "stdio"
      ? subject.command
      : "path" in subject
        ? `${subject.transport === "variables" ? "reads" : "writes"} ${subject.path}`
        : maskSecrets(subject.url.replace(/[?#][^]*/, ""));
  return `${name} (${place}${variables.length === 0 ? "" : `, gets ${variables.join(", ")}`})`;
}
