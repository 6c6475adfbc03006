import {
  connectServer,
  type ConnectOptions,
  type ServerConnection,
  type ServerTarget,
} from "@codemode/runtime/connections/connect-server";

/** Connects as the runtime does, with the user's login where the server is one over HTTP. Throws `ConnectionError`. */
export function connectWithLogin(
  target: ServerTarget,
  options: Omit<ConnectOptions, "loadAuth"> = {},
): Promise<ServerConnection> {
  return connectServer(target, {
    ...options,
    // It imports the SDK, which is slow to load.
    loadAuth: async (...login) => (await import("./oauth/load-auth.ts")).loadAuth(...login),
  });
}
