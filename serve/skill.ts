import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { listSkill, SKILL_URI } from "../engine/skill.ts";
import { JSON_METHOD } from "./agent/as-sdk.ts";
import { isJsonObject, ownValue } from "../schemas/json/json.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";

/** What the server declares, and what its two methods are called (MCP extension io.modelcontextprotocol/skills, SEP-2640). */
export const SKILLS_EXTENSION = { "io.modelcontextprotocol/skills": {} };

const CACHE = { resultType: "complete", ttlMs: 60_000, cacheScope: "private" };

/** Answers `skills/list` and `skills/get`. `answer` calls its function with the lockfile as this client sees it. */
export function serveSkills(
  server: Server,
  answer: <Result>(make: (lockfile: Lockfile) => Promise<Result>) => Promise<Result>,
): void {
  server.setRequestHandler("skills/list", JSON_METHOD, () =>
    answer(async (lockfile) => ({ ...CACHE, skills: [listSkill(lockfile).entry] })),
  );
  server.setRequestHandler("skills/get", JSON_METHOD, (params) =>
    answer(async (lockfile) => {
      const uri = isJsonObject(params) ? ownValue(params, "uri") : undefined;
      if (uri === SKILL_URI) return { ...CACHE, skill: listSkill(lockfile).entry };
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such skill. The only one is ${SKILL_URI}.`);
    }),
  );
}
