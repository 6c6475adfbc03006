import type { Finding } from "../../../schemas/doctor.ts";
import type { ClientEntryFacts, ClientFacts } from "../probes/probe-clients.ts";
import { printSome } from "./print-amounts.ts";

/** One finding for each file that is there; a client without an entry is no mistake. */
export function judgeClients(clients: readonly ClientFacts[]): Finding[] {
  const findings = clients.map(judgeClient);
  if (clients.some(({ entries }) => entries.length > 0)) return findings;
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

function judgeClient({ file, failure, entries }: ClientFacts): Finding {
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
