import { CLIENT_IDS, type ClientId, clientName, listClientFiles } from "../../engine/project/clients/client-files.ts";
import { CLIENTS } from "../../extras/install/clients.ts";
import { findSkillFile, hasSkills } from "../../extras/install/skill-file.ts";
import { table } from "./print-reference.ts";

const PLACES = { folder: "/project", home: "/home", platform: "linux", env: {} } as const;

/** The tables of clients on the page about `install`. */
export const CLIENT_TABLES: Record<string, () => string> = {
  clients: () =>
    table(
      ["client", "project's file", "account's file", "what it wants next"],
      CLIENT_IDS.map((id) => [`\`${id}\``, fileOf(id, "project"), fileOf(id, "user"), CLIENTS[id].next]),
    ),
  headless: () =>
    table(
      ["client", "without a person"],
      CLIENT_IDS.flatMap((id) => {
        const { headless } = CLIENTS[id];
        return headless === undefined ? [] : [[clientName(id), headless]];
      }),
    ),
  skills: () =>
    table(
      ["client", "project's skill", "account's skill (`--user`)"],
      CLIENT_IDS.filter(hasSkills).map((id) => [
        `\`${id}\``,
        shown(findSkillFile(id, "project", PLACES).path),
        shown(findSkillFile(id, "user", PLACES).path),
      ]),
    ),
};

function fileOf(client: ClientId, scope: "project" | "user"): string {
  const file = listClientFiles(PLACES).find(
    ({ id, scope: other, isOld }) => id === client && other === scope && isOld !== true,
  );
  return file === undefined ? "" : shown(file.path);
}

function shown(path: string): string {
  return `\`${path.replace(/^\/project\//, "").replace(/^\/home/, "~")}\``;
}
