import { backupOf, restoreServers } from "../move-servers.ts";
import { chooseFile, toClientId, placesOf, readEntryName, readScope } from "../install-client.ts";
import { type ClientFile, clientName, listClientFiles } from "../../../engine/project/clients/client-files.ts";
import { findSkillFile, hasSkills, removeSkill } from "../skill-file.ts";
import { uninstallEntry } from "../install-entry.ts";
import { loadConfig } from "../../../engine/load-config.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import { oneLine } from "../../../schemas/json/escape-invisible.ts";
import type { Command, CommandContext } from "../../../cli/command.ts";

/** `codemode uninstall`: takes out of a client's files what `codemode install` wrote, and puts back what it moved. */
export const uninstall: Command = async ({ args, options, context }) => {
  const client = toClientId(args[0] ?? "");
  const name = readEntryName(options);
  const folder = await findFolder(context);
  const places = placesOf(folder);
  const { scope } = chooseFile({ client, scope: readScope(options) }, places);
  const note = (line: string): void => context.output.note(oneLine(line));
  // The servers of one project in a file of the account go with the project.
  const isChosen = ({ id, scope: other, within }: ClientFile): boolean =>
    id === client && (within === undefined ? other === scope : true);
  let found = 0;
  for (const file of listClientFiles(places).filter(isChosen)) {
    if (await uninstallEntry(file, name, folder, options.has("force"))) {
      found += 1;
      note(`Took "${name}" out of ${file.path}`);
    }
    const restored = await restoreServers(file, folder);
    if (restored === undefined) continue;
    found += 1;
    if (restored.names.length > 0) note(`Put ${restored.names.join(", ")} back into ${file.path}`);
    if (restored.kept.length > 0) {
      note(`${file.path} has ${restored.kept.join(", ")} again; the former ones stay in ${backupOf(file.path)}`);
    }
  }
  const skill = hasSkills(client) ? findSkillFile(client, readScope(options) ?? "project", places) : undefined;
  if (skill !== undefined && (await removeSkill(skill))) {
    found += 1;
    note(`Removed ${skill.path}`);
  }
  note(found === 0 ? `${clientName(client)} has nothing of codemode here.` : `Next: restart ${clientName(client)}.`);
  return 0;
};

/** Without a configuration, the current folder is the project: that may be why codemode goes. */
async function findFolder(context: CommandContext): Promise<string> {
  try {
    return (await loadConfig(context)).folder;
  } catch (error) {
    if (error instanceof CodemodeError && error.code === "CONFIG_MISSING") return context.cwd;
    throw error;
  }
}
