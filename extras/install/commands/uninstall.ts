import { existsSync } from "node:fs";
import { commandOf, isOwnCommand } from "../../../engine/project/clients/entry-parts.ts";
import { listClientEntries } from "../../../engine/project/clients/parse-client-file.ts";
import { readTextIfPresent } from "../../../engine/project/files.ts";
import { backupOf } from "../../../engine/project/clients/old-servers.ts";
import { restoreServers } from "../move-servers.ts";
import { chooseFile, loadConfigIfPresent, toClientId, placesOf, readEntryName, readScope } from "../install-client.ts";
import { type ClientFile, clientName, listClientFiles } from "../../../engine/project/clients/client-files.ts";
import { findSkillFile, hasSkills, removeSkill } from "../skill-file.ts";
import { uninstallEntry } from "../install-entry.ts";
import { oneLine } from "../../../schemas/json/escape-invisible.ts";
import type { Command } from "../../../cli/command.ts";

/** Whether a client's file has an entry of codemode, or a backup beside it of what was moved. A file that cannot be read has none. */
async function hasOwn(file: ClientFile, name: string): Promise<boolean> {
  if (existsSync(backupOf(file.path))) return true;
  try {
    const text = (await readTextIfPresent(file.path)) ?? "";
    return listClientEntries(text, file).some(([each, entry]) => each === name && isOwnCommand(commandOf(entry)));
  } catch {
    return false;
  }
}

/** `codemode uninstall`: takes out of a client's files what `codemode install` wrote, and puts back what it moved. */
export const uninstall: Command = async ({ args, options, context }) => {
  const client = toClientId(args[0] ?? "");
  const name = readEntryName(options);
  // Without a configuration, the current folder is the project: that may be why codemode goes.
  const folder = (await loadConfigIfPresent(context))?.folder ?? context.cwd;
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
    const restored = await restoreServers(file, folder, name);
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
  // Without a scope, what is left in the other files is named with the command that takes it out.
  const left =
    readScope(options) === undefined
      ? listClientFiles(places).filter((file) => file.id === client && !isChosen(file))
      : [];
  for (const file of left) {
    if (!(await hasOwn(file, name))) continue;
    found += 1;
    note(`${file.path} has codemode too: \`codemode uninstall ${client} --${file.scope}\` takes it out.`);
  }
  note(found === 0 ? `${clientName(client)} has nothing of codemode here.` : `Next: restart ${clientName(client)}.`);
  return 0;
};
