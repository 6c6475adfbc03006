import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { Finding } from "../doctor-report.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { findLiteralSecrets } from "../../../schemas/secrets/literal-secrets.ts";
import type { ConfigurationFacts } from "../probes/probe-configuration.ts";
import { countOf } from "../../../schemas/text/count-of.ts";
import { printSome } from "./print-amounts.ts";

export function evaluateConfiguration(facts: ConfigurationFacts): Finding[] {
  if (!facts.ok) return [evaluateFailure(facts)];
  const { config, shown, unsetVariables, unsetServeVariables } = facts;
  const servers = config.servers.length;
  return [
    {
      id: "configuration.file",
      status: "ok",
      subject: "file",
      found: `${shown} with ${countOf(servers, "server")}`,
      facts: { file: shown, servers },
    },
    evaluateVariables("configuration.variables", "variables", unsetVariables, "problem"),
    ...evaluateSecrets(config),
    ...evaluateExposed(facts.exposed),
    ...(unsetServeVariables.length === 0
      ? []
      : [evaluateVariables("configuration.serveVariables", "variables of serve", unsetServeVariables, "warning")]),
  ];
}

function evaluateFailure(facts: ConfigurationFacts & { ok: false }): Finding {
  const { shown, code, failure, hint, line, column } = facts;
  const finding = { id: "configuration.file", subject: "file", hint };
  // A machine without a project is looked at as well.
  if (code === "CONFIG_MISSING") return { ...finding, status: "info", found: "there is none here" };
  const place = [shown, line, column].filter((part) => part !== undefined).join(":");
  const known = { code, ...withoutUndefined({ file: shown, line }) };
  const words = failure.startsWith(`${shown}: `) ? failure.slice(`${shown}: `.length) : failure;
  return { ...finding, status: "problem", found: `${place}: ${words}`, facts: known };
}

/** Only where there are some: what is not found proves nothing. */
function evaluateSecrets({ servers }: Config): Finding[] {
  const found = servers.flatMap((server) => findLiteralSecrets(server).map((secret) => ({ ...secret, id: server.id })));
  if (found.length === 0) return [];
  const places = found.map(({ id, place }) => `${id} ${place}`);
  const placeholders = [...new Set(found.map(({ variable }) => `\${${variable}}`))];
  return [
    {
      id: "configuration.secrets",
      status: "warning",
      subject: "secrets",
      found: `these look like secrets: ${printSome(places)}`,
      hint: `Write ${printSome(placeholders)} there and set the variables; list false positives under "notSecret" of their server.`,
      facts: { places },
    },
  ];
}

/** Policy, lock and bindings are files: who may write all files of the project may change them. */
function evaluateExposed(exposed: readonly string[]): Finding[] {
  if (exposed.length === 0) return [];
  return [
    {
      id: "configuration.exposed",
      status: "warning",
      subject: "own files",
      found: `servers reach the project's own configuration or packages: ${printSome(exposed)}`,
      hint: "Give them a folder below, such as ./notes, or ask for or deny their tools that write.",
      facts: { exposed: [...exposed] },
    },
  ];
}

function evaluateVariables(
  id: string,
  subject: string,
  unset: readonly string[],
  status: "problem" | "warning",
): Finding {
  if (unset.length === 0) return { id, status: "ok", subject, found: "all are set" };
  const names = printSome(unset);
  return { id, status, subject, found: `not set: ${names}`, hint: `Set ${names}.`, facts: { unset: [...unset] } };
}
