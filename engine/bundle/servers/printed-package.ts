import { posix } from "node:path";
import type { LockedServer, LockedTool, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile, serverIdOf } from "../../../schemas/lock/operations.ts";
import { memoizeByLockfile } from "../../../schemas/lock/memoize-by-lockfile.ts";
import { isProgram } from "../../../schemas/config/program-server.ts";
import { printMeta, type ServerMeta } from "../../../templates/generated-package.ts";
import { toSourceLiteral } from "../../../schemas/text/visible-text.ts";

/**
 * Whether the modules of a server are printed from its lock entry, because no folder has them. Such a tool has no validator of its own: the
 * host's check of each call says the same.
 * @param generatedFolder of the project; empty where it has none
 */
export function isPrinted(generatedFolder: string, server: LockedServer): boolean {
  return generatedFolder === "" || isProgram(server);
}

/** The path of a printed tool's module below the folder of its server. */
export function toPrintedPath({ exportName }: Pick<LockedTool, "exportName">): string {
  return `tools/${exportName}.js`;
}

const modulesOf = memoizeByLockfile((lockfile) => modulesOfLockfile(lockfile));

/** The text of a printed module; null where there is none. */
export function printModuleAt(
  path: string,
  lockfile: Lockfile,
  toMeta: (server: LockedServer) => ServerMeta,
): string | null {
  const folder = posix.dirname(path);
  const modules = modulesOf(lockfile);
  const whole = modules.get(folder);
  if (whole !== undefined)
    return path === `${folder}/meta.js` ? `export const __meta__ = ${printMeta(toMeta(whole))};\n` : null;
  const server = modules.get(posix.dirname(folder));
  const tool = server?.tools.find((one) => path === `${server.id}/${toPrintedPath(one)}`);
  return server === undefined || tool === undefined ? null : printBinding(serverIdOf(server.id), tool);
}

function printBinding(serverId: string, { name, exportName }: LockedTool): string {
  const callTool = exportName === "callTool" ? "callTool_" : "callTool";
  const tool = exportName === "tool" ? "tool_" : "tool";
  const fields = [
    ...[`serverId: ${toSourceLiteral(serverId)}`, `toolName: ${toSourceLiteral(name)}`],
    ...[`exportName: ${toSourceLiteral(exportName)}`, "validateInput: () => true"],
  ];
  return `import { callTool${callTool === "callTool" ? "" : ` as ${callTool}`} } from "@codemode/runtime/v1";
const ${tool} = { ${fields.join(", ")} };
export async function ${exportName}(input = {}) {
  return ${callTool}(${tool}, input);
}
`;
}
