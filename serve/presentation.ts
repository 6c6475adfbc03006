import type { JsonObject } from "../schemas/json/json.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { Surface } from "./surface.ts";

/** What an agent meets: the tools, and what says how to use them. One for each view. */
export interface Presentation {
  surface: Surface;
  /** What is locked, as this client sees it. */
  lockfile(): Lockfile;
  /** As `resources/list` shows them: the declarations of each server, and the skill. */
  listResources(): JsonObject[];
  /** As `resources/templates/list` shows them. */
  listResourceTemplates(): JsonObject[];
  /** The contents of `resources/read`; undefined where there is no such resource. */
  readResource(uri: string): Promise<JsonObject[] | undefined>;
  listPrompts(): JsonObject[];
  /** The result of `prompts/get`; undefined where there is no such prompt. */
  getPrompt(name: string, input: Record<string, string>): Promise<JsonObject | undefined>;
}
