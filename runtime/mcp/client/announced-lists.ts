import { isJsonObject, ownValue, type JsonObject } from "../../../schemas/json/json.ts";

/** The lists whose changes servers can announce. */
export const LISTS = ["tools", "resources", "prompts"] as const;

/** The lists whose changes a server announces. */
export function announcedLists(capabilities: JsonObject): (typeof LISTS)[number][] {
  return LISTS.filter((list) => {
    const capability = ownValue(capabilities, list);
    return isJsonObject(capability) && ownValue(capability, "listChanged") === true;
  });
}
