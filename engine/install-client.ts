// What `codemode install` asks of the files of MCP clients.
export { CLIENT_IDS, type ClientScope } from "./project/clients/client-files.ts";
export { CLIENT_TRAITS } from "./project/install/client-traits.ts";
export { findLauncher, type Launcher } from "./project/install/find-launcher.ts";
export { type InstallPlan, planInstall, printEntry, toClientId, writeEntry } from "./project/install/install-client.ts";
export { listNeededVariables, type NeededVariables } from "./project/install/needed-variables.ts";
