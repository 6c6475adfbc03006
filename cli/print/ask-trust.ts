import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { describeStart, ProjectUntrusted, recordTrust } from "../../engine/trust-project.ts";
import { askYesOrNo, type Terminal } from "./ask-on-terminal.ts";

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
