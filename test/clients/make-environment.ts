import { dirname, join } from "node:path";
import type { Client, Place } from "./client.ts";

/** The whole environment of a client: its own home, its own programs, and the scripted model. */
export function makeEnvironment(client: Client, place: Place): Record<string, string> {
  const { home, installed, project } = place;
  return {
    PATH: [join(installed, "node_modules/.bin"), dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(
      ":",
    ),
    HOME: home,
    TMPDIR: join(home, "tmp"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_PROXY: "127.0.0.1,localhost",
    CODEMODE_SERVER: JSON.stringify(place.server),
    CODEMODE_PROJECT: project,
    MODEL_URL: place.model,
    ...client.environment(place),
  };
}
