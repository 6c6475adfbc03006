// What `codemode install` and `uninstall` ask of the files of MCP clients.
export {
  CLIENT_IDS,
  type ClientFile,
  type ClientId,
  clientName,
  type ClientPlaces,
  type ClientScope,
  listClientFiles,
} from "./project/clients/client-files.ts";
export { changeClientFile } from "./project/install/change-client-file.ts";
export { CLIENT_TRAITS } from "./project/install/client-traits.ts";
export { printEntry, putEntry } from "./project/install/edit-client-text.ts";
export { findLauncher, type Launcher } from "./project/install/find-launcher.ts";
export { chooseFile, type InstallPlan, planInstall, toClientId } from "./project/install/install-client.ts";
export { backupOf, moveServers, restoreServers } from "./project/install/move-servers.ts";
export { findTokenVariable, listNeededVariables, type NeededVariables } from "./project/install/needed-variables.ts";
export { findOldServers, type OldServers } from "./project/install/old-servers.ts";
export { findSkillFile, hasSkills, removeSkill, skillCommand, writeSkill } from "./project/install/skill-file.ts";
export { uninstallEntry } from "./project/install/uninstall-entry.ts";
