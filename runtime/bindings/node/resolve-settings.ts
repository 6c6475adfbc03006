import { type ServerSettings, trustSubjectOf } from "./configuration.ts";
import { ConnectionError } from "../../mcp/client/connection-error.ts";
import { fillPlace } from "../../mcp/client/fill-place.ts";
import type { ServerTarget } from "../../mcp/client/server-target.ts";

/** Replaces the placeholders of a server. Throws `ConnectionError`, which names variables and never a value. */
export function resolveSettings(settings: ServerSettings): ServerTarget {
  const { id, name, folder, timeoutMs } = settings;
  const { place, secrets } = fillPlace(trustSubjectOf(settings), {
    folder,
    env: process.env,
    onUnset: (variable) =>
      new ConnectionError("start-failed", `The server "${name}" needs the environment variable ${variable}.`, {
        serverName: name,
        hint: `Set ${variable}.`,
      }),
    onInvalid: (problem) =>
      new ConnectionError("start-failed", `The server "${name}" cannot be used: ${problem}.`, {
        serverName: name,
        hint: `Correct the server "${name}".`,
      }),
  });
  return { id, name, timeoutMs, ...place, secrets };
}
