import { type JsonObject, toJsonObject } from "../../../schemas/json/json.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { modulesOf, serverIdOf } from "../../../schemas/lock/operations.ts";
import { GENERATOR_VERSION, RUNTIME_VERSION } from "../../../templates/generated-package.ts";
import { escapeInvisible } from "../../../schemas/json/escape-invisible.ts";

/** Where in a server package its lock entry is. */
export const PACKED_LOCKFILE = "codemode.lock.json";

/** What a server package is called, and whose it is. */
export interface PackageIdentity {
  name: string;
  version: string;
  /** Members of the project's own `package.json` that hold for its packages too, for instance `license`. */
  inherited: JsonObject;
}

/** The `package.json` of a server package that can be published; its keys are in the order that readers and tools expect. */
export function printManifest({ name, version, inherited }: PackageIdentity, server: LockedServer): string {
  const manifest = {
    name,
    version,
    description: `Typed bindings of the MCP server "${server.id}", made by codemode from its locked tool list.`,
    keywords: ["codemode", "mcp", "model-context-protocol", "mcp-server", server.id],
    ...inherited,
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.20.0" },
    // Conditions are tried in order, so that `types` has to stand before `default`.
    exports: { ...toJsonObject(modulesOf(server).map(exportOf)), "./package.json": "./package.json" },
    dependencies: { "@codemode/runtime": RUNTIME_VERSION },
    codemode: {
      ...{ serverId: server.id, serverIntegrity: server.integrity, lock: `./${PACKED_LOCKFILE}` },
      generatorVersion: GENERATOR_VERSION,
    },
  };
  return escapeInvisible(`${JSON.stringify(manifest, null, 2)}\n`);
}

/** Where a module of a server is in its package: `.`, or a folder such as `./resources`. */
export function moduleFolder(id: string): string {
  return `.${id.slice(serverIdOf(id).length)}`;
}

/** The server's tools are the package itself; its other modules are folders in it. */
function exportOf({ id }: LockedServer): [string, JsonObject] {
  const folder = moduleFolder(id);
  return [folder, { types: `${folder}/index.d.ts`, default: `${folder}/index.js` }];
}
