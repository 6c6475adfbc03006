import { connectServer, type ServerConnection, type ServerTarget } from "@codemode/runtime/connections/connect-server";
import type { OpenTransport } from "@codemode/runtime/connections/establish-link";
import type { OwnServerConfig } from "../../schemas/config/config.ts";
import { withGuards, connectFunctions } from "./connect-functions.ts";
import { connectWithLogin } from "./connect-with-login.ts";
import { withHiddenErrors } from "./hide-errors.ts";
import { ProgramTransport, tellingCallers } from "./program-transport.ts";

/**
 * Connects to what was resolved. Functions of the program need no transport, and its servers one in memory.
 * @param own the entry of a server of the program
 */
export async function connectTarget(
  own: OwnServerConfig | undefined,
  target: ServerTarget,
  options: Parameters<typeof connectWithLogin>[1],
): Promise<ServerConnection> {
  if (own === undefined) return connectWithLogin(target, options);
  const { program } = own.source;
  if (program.kind === "functions") return withGuards(connectFunctions({ id: target.id, ...program }), program);
  const openTransport: OpenTransport = (failures) => new ProgramTransport(program.make, failures);
  const connection = tellingCallers(await connectServer(target, { ...options, openTransport }));
  return withGuards(withHiddenErrors(connection, program.onHidden), program);
}
