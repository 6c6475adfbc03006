import { listUntrusted } from "../runtime/mcp/trust/assert-trusted.ts";
import { outsideFilesOf, type ProjectStart, startOf } from "../runtime/mcp/trust/project-starts.ts";
import { listStarts } from "../runtime/mcp/trust/gated-settings.ts";
import { recordTrust } from "../runtime/mcp/trust/record-trust.ts";
import type { Config } from "../schemas/config/config.ts";

export type { ProjectStart } from "../runtime/mcp/trust/project-starts.ts";
export { assertTrusted, ProjectUntrusted } from "../runtime/mcp/trust/assert-trusted.ts";
export { recordTrust, revokeTrust } from "../runtime/mcp/trust/record-trust.ts";
export { describeStart } from "../runtime/host/describe-start.ts";

/** All that a configuration starts, reaches, reads or writes outside of its folder. */
export interface ProjectStarts {
  /** What this account has approved before. */
  trusted: readonly ProjectStart[];
  untrusted: readonly ProjectStart[];
}

/** Lists what a project starts, in the order of the configuration. */
export function listProjectStarts(config: Config): ProjectStarts {
  const untrusted = listUntrusted(config);
  const digests = new Set(untrusted.map(({ digest }) => digest));
  return { trusted: listStarts(config).filter(({ digest }) => !digests.has(digest)), untrusted };
}

/** Records the approval of this account to these servers of a project. */
export function trustServers(config: Config, names: ReadonlySet<string>): Promise<void> {
  const named = config.servers.filter(({ name }) => names.has(name));
  return recordTrust(
    config.folder,
    named.flatMap((server) => [startOf(server, config), ...outsideFilesOf(server.source, config.folder)]),
  );
}
