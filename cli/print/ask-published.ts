import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { maskSecrets } from "../../schemas/secrets/mask-secrets.ts";
import { serverUnconfirmed } from "../../schemas/command-line-errors.ts";
import { describeStart, type ProjectStart } from "../../engine/trust-project.ts";
import { askYesOrNo, type Terminal } from "./ask-consent.ts";

/**
 * Shows what a document would start or reach, with its headers and the variables that it names, and asks whether it may.
 * @param terminal undefined where no person can be asked
 * @throws CodemodeError (`PROJECT_UNTRUSTED`) without a yes
 */
export async function askPublished(start: ProjectStart, terminal: Terminal | undefined): Promise<void> {
  const shown = describePublished(start);
  if (terminal === undefined) throw serverUnconfirmed(start.name, shown);
  terminal.output.write(`This server is as its document says, which its author alone has written:\n${indent(shown)}\n`);
  if (!(await askYesOrNo("Add it, and connect to it now? [y/N] ", terminal)))
    throw serverUnconfirmed(start.name, shown);
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join("\n");
}

/** Address or command; each header and each setting as the document writes it; the variables of this machine whose values it would get. */
function describePublished(start: ProjectStart): string[] {
  const { subject, variables } = start;
  if ("path" in subject) return [];
  const isProgram = subject.transport === "stdio";
  const given = isProgram ? subject.env : subject.headers;
  const kind = isProgram ? "sets" : "sends the header";
  const place = isProgram ? { ...subject, env: {} } : subject;
  const written = Object.entries(given).map(([name, value]) => `${kind} ${name}: ${maskSecrets(value, name)}`);
  const gets =
    variables.length === 0
      ? "gets no variable of this machine"
      : `gets the value of ${variables.join(", ")} from this machine, if set`;
  return [describeStart({ ...start, subject: place, variables: [] }).trim(), ...written, gets].map(oneLine);
}
