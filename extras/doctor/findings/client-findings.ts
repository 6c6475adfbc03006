import type { Finding } from "../doctor-report.ts";
import type { ClientEntryFacts, ClientFacts } from "../probes/probe-clients.ts";
import { printSome } from "./print-amounts.ts";

/** One finding for each file that is there; a client without an entry is no mistake. */
export function evaluateClients(clients: readonly ClientFacts[]): Finding[] {
  const using = new Set(clients.filter(({ entries }) => entries.length > 0).map(({ file }) => file.id));
  const findings = clients.flatMap((facts) => [
    ...(facts.file.isOld === true ? [] : [evaluateClient(facts)]),
    ...(using.has(facts.file.id) ? evaluateOldServers(facts) : []),
  ]);
  if (using.size > 0) return findings;
  return [
    ...findings,
    {
      id: "client.none",
      status: "info",
      subject: "entries",
      found: "no client on this machine is set up to use codemode here",
      hint: "`codemode install CLIENT` writes an entry.",
    },
  ];
}

/** With both, the agent pays for the tools twice, and calls them past codemode. */
function evaluateOldServers({ file, oldServers }: ClientFacts): Finding[] {
  if (oldServers.length === 0) return [];
  const { id, client, scope, path, within } = file;
  const isShared = scope === "user" && within === undefined;
  return [
    {
      id: `client.${id}.${within === undefined ? scope : "local"}.beside`,
      subject: `${client} (${within === undefined ? scope : "this project"})`,
      status: "warning",
      found: `the agent still has ${oldServers.length} of its old servers beside codemode, in ${path}: ${printSome(oldServers)}`,
      hint: `Run \`codemode install ${id}${isShared ? " --user" : ""} --move\`; \`codemode uninstall ${id}\` puts them back.`,
      facts: { file: path, servers: oldServers },
    },
  ];
}

function evaluateClient({ file, failure, entries }: ClientFacts): Finding {
  const { id, client, scope, path } = file;
  const ending = path.endsWith("c") ? "-jsonc" : "";
  const finding = { id: `client.${id}.${scope}${ending}`, subject: `${client} (${scope})` };
  if (failure !== undefined) {
    return { ...finding, status: "warning", found: `${path}: ${failure}`, hint: "Fix its syntax or its permissions." };
  }
  const facts = { file: path, entries: entries.map(({ name }) => name) };
  if (entries.length === 0) return { ...finding, status: "info", found: `no entry in ${path}`, facts };
  const missing = entries.flatMap((entry) => entry.missing);
  if (missing.length > 0) {
    const found = `its entry in ${path} names what is not there: ${printSome(missing)}`;
    const hint = `Run \`codemode install ${id} --${scope}\` again.`;
    return { ...finding, status: "problem", found, hint, facts: { ...facts, missing } };
  }
  return { ...finding, status: "ok", found: `${entries.map(describe).join(", ")} in ${path}`, facts };
}

function describe({ name, origin }: ClientEntryFacts): string {
  return origin === undefined ? `"${name}" starts codemode` : `"${name}" calls ${origin}`;
}
