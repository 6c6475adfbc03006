import { resolve } from "node:path";
import { makeRedactor } from "@codemode/runtime/connections/redact-secrets";
import { maskStrings } from "../../../runtime/mcp/mask-credentials.ts";
import { assertAuditTrusted } from "../../../runtime/mcp/trust/assert-trusted.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { auditUnwritable } from "../../../schemas/config/serve-errors.ts";
import type { AuditSettings } from "../../../schemas/config/observe-settings.ts";
import type { ConfiguredObservers } from "../../../engine/observers.ts";
import { findSecrets } from "../../../engine/log/find-secrets.ts";
import { makeAuditLog } from "./audit-log.ts";
import { makeAuditObserver } from "./audit-observer.ts";
import { makePayloads } from "./payloads.ts";
import { makeAuditGate } from "./make-audit-gate.ts";

/** Opens the audit log. Throws a `CodemodeError` where it cannot be written and has to be. */
export function openAudit(config: Config, settings: AuditSettings, note: (line: string) => void): ConfiguredObservers {
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
    observers: [makeAuditObserver(log, makePayloads(settings))],
    gate: required ? makeAuditGate(log) : undefined,
    close: async () => log.close(),
  };
}
