import {
  connectServer,
  type ConnectionOptions,
  type ServerConnection,
  type ServerTarget,
} from "@codemode/runtime/connections/connect-server";
import { loadAuth } from "./oauth/load-auth.ts";

/** Connects as the runtime does, with the user's login where the server is one over HTTP. Throws `ConnectionError`. */
export function connectWithLogin(
  target: ServerTarget,
  options: Omit<ConnectionOptions, "loadAuth"> = {},
): Promise<ServerConnection> {
  return connectServer(target, { ...options, loadAuth });
}
