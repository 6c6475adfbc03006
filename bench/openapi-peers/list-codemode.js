import { DEFAULTS } from "../../dist/schemas/config/config-file.js";
import { toServeSettings } from "../../dist/schemas/config/serve-settings.js";
import { lockServer } from "../../dist/schemas/lock/lock-server.js";
import { present } from "../../dist/serve/present.js";

/** What `codemode serve` lists when the tools of one server are all that is locked. */
export function listOfCodemode(id, { tools, serverInfo }) {
  const source = { transport: "stdio", command: "npx", args: ["-y", "@codemode/openapi"], env: new Map() };
  const facts = { protocolVersion: "2025-11-25", era: "legacy", capabilities: {}, clientCapabilities: {} };
  const locked = lockServer({ id, name: id, source }, { serverInfo, tools, ...facts });
  const view = {
    lockfile: () => ({ servers: new Map([[id, locked]]) }),
    limits: DEFAULTS.limits,
    savedScripts: async () => [],
    refresh: async () => undefined,
  };
  return present(view, toServeSettings({})).surface.listTools();
}
