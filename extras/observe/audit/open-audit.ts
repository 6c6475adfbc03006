import { resolve } from "node:path";
import { makeRedactor } from "@codemode/runtime/connections/redact-secrets";
import { maskStrings } from "../../../runtime/mcp/mask-credentials.ts";
import type { Observer } from "../../../schemas/run/observer.ts";
import { assertAuditTrusted } from "../../../runtime/mcp/trust/assert-trusted.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { auditUnwritable } from "../../../schemas/config/serve-errors.ts";
import type { AuditSettings } from "../../../schemas/config/observe-settings.ts";
import type { Host } from "../../../engine/run/host.ts";
import { findSecrets } from "../../../engine/log/find-secrets.ts";
import { makeAuditLog } from "./audit-log.ts";
import { makeAuditObserver } from "./audit-observer.ts";
import { makePayloads } from "./payloads.ts";
import { withAuditGate } from "./with-audit-gate.ts";

export interface OpenAudit {
  observer: Observer;
  /** The host, which runs nothing that cannot be written down where the settings say so. To be observed from outside. */
  guard(host: Host): Host;
  close(): void;
}

/** Opens the audit log. Throws a `CodemodeError` where it cannot be written and has to be. */
export function openAudit(config: Config, settings: AuditSettings, note: (line: string) => void): OpenAudit {
  assertAuditTrusted(config);
  const { file, required } = settings;
  const secrets = findSecrets(config, process.env);
  const redact = makeRedactor(secrets);
  const log = makeAuditLog({
    file: resolve(config.folder, file),
    mask: (value) => (Object.keys(secrets).length === 0 ? value : maskStrings(value, redact)),
    onProblem: (reason) => note(`The audit log ${file} cannot be written: ${reason}`),
  });
  if (!log.prepare() && required) throw auditUnwritable(file);
  return {
    observer: makeAuditObserver(log, makePayloads(settings)),
    guard: (host) => (required ? withAuditGate(host, log) : host),
    close: log.close,
  };
}
