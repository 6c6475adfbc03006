import { expect, test } from "vitest";
import { isInstalled, OTHER_MANAGERS } from "./managers.ts";
import { tellStory } from "./tell-story.ts";

test.each(OTHER_MANAGERS)("$name: from an empty folder to a result and a program", async (manager) => {
  expect(isInstalled(manager), manager.name).toBe(true);
  expect(await tellStory("20", manager)).toEqual([]);
});
