import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { describeStart, ProjectUntrusted, recordTrust, type ProjectStart } from "../../engine/trust-project.ts";
import { askYesOrNo, type Terminal } from "./ask-on-terminal.ts";
import { maskSecrets } from "../../schemas/secrets/mask-secrets.ts";
import { serverUnconfirmed } from "../../schemas/command-line-errors.ts";

/** Asks whether the project of an error may start what it names, and records a yes. False for any other error. */
export async function trustOnTerminal(error: unknown, terminal: Terminal): Promise<boolean> {
  if (!(error instanceof ProjectUntrusted) || !(await askTrust(error, terminal))) return false;
  await recordTrust(error.folder, error.starts);
  return true;
}

/** Shows what a project would start and hand over, and asks whether it may from now on; anything but yes is no. */
async function askTrust({ folder, starts }: ProjectUntrusted, terminal: Terminal): Promise<boolean> {
  const lines = starts.map(describeStart).join("\n");
  terminal.output.write(
    `This account has not started anything of ${oneLine(folder)} before. It would start or reach:\n${lines}\n`,
  );
  return askYesOrNo("Trust it from now on? [y/N] ", terminal);
}

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
