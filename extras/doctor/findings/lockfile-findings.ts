import type { Config } from "../../../schemas/config/config.ts";
import type { Finding } from "../doctor-report.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import type { GeneratedFacts, LockfileFacts } from "../probes/probe-lockfile.ts";
import { countOf } from "../../../schemas/text/count-of.ts";
import { printSome } from "./print-amounts.ts";

export function evaluateLockfile(facts: LockfileFacts): Finding[] {
  const finding = { id: "lockfile.file", subject: "file" };
  switch (facts.state) {
    case "missing":
      return [
        { ...finding, status: "warning", found: "there is none", hint: "Run `codemode lock` and commit the result." },
      ];
    case "broken":
      return [{ ...finding, status: "problem", found: facts.failure, hint: facts.hint }];
    case "ok": {
      const { lockfile, version } = facts;
      const servers = lockfile.servers.size;
      const tools = [...lockfile.servers.values()].reduce((sum, server) => sum + server.tools.length, 0);
      const found = `version ${version}, ${countOf(servers, "server")}, ${countOf(tools, "tool")}; all integrities match`;
      return [{ ...finding, status: "ok", found, facts: { version, servers, tools } }];
    }
  }
}

/** What is configured and not locked, or the other way round. */
export function evaluateLockedServers({ servers }: Pick<Config, "servers">, lockfile: Lockfile): Finding[] {
  const configured = new Set(servers.map(({ id }) => id));
  const missing = [...configured].filter((id) => !lockfile.servers.has(id));
  const surplus = [...lockfile.servers.keys()].filter((id) => !configured.has(id));
  const finding = { id: "lockfile.servers", subject: "servers", facts: { missing, surplus } };
  if (missing.length + surplus.length === 0) return [{ ...finding, status: "ok", found: "those of the configuration" }];
  const found = [
    ...(missing.length === 0 ? [] : [`configured and not locked: ${printSome(missing)}`]),
    ...(surplus.length === 0 ? [] : [`locked and not configured: ${printSome(surplus)}`]),
  ].join("; ");
  return [{ ...finding, status: "warning", found, hint: "Run `codemode lock`." }];
}

export function evaluateGenerated({ outdated, edited, link, hasRuntime }: GeneratedFacts): Finding[] {
  return [evaluateFiles(outdated, edited), evaluateLink(link), ...(hasRuntime ? [] : [NO_RUNTIME])];
}

const NO_RUNTIME: Finding = {
  id: "lockfile.runtime",
  status: "warning",
  subject: "@codemode/runtime",
  found: "does not resolve from the project",
  hint: "Run `codemode generate`, which links it.",
};

function evaluateFiles(outdated: readonly string[], edited: readonly string[] | undefined): Finding {
  const finding = { id: "lockfile.generated", subject: "generated files" };
  const hint = "Run `codemode generate`.";
  if (outdated.length > 0) {
    const found = `out of date with this lockfile: ${printSome(outdated)}`;
    return { ...finding, status: "warning", found, hint, facts: { outdated: [...outdated] } };
  }
  if (edited === undefined) {
    const found = "generated from this lockfile; `codemode generate --check` finds edits";
    return { ...finding, status: "ok", found };
  }
  if (edited.length > 0) {
    const found = `edited or missing: ${printSome(edited)}`;
    return { ...finding, status: "warning", found, hint, facts: { edited: [...edited] } };
  }
  return { ...finding, status: "ok", found: "as the lockfile requires" };
}

function evaluateLink(link: GeneratedFacts["link"]): Finding {
  const finding = { id: "lockfile.link", subject: "@codemode/servers", facts: { link } };
  const hint = "Run `codemode generate`, which links it.";
  switch (link) {
    case "here":
      return { ...finding, status: "ok", found: "links to the generated files" };
    case "installed":
      return { ...finding, status: "info", found: "is an installed package, which is left alone" };
    case "elsewhere":
      return { ...finding, status: "warning", found: "links to another folder than the generated files", hint };
    case "missing":
      return { ...finding, status: "warning", found: "is not linked: editors and Node do not find it", hint };
  }
}
