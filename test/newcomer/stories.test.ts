import { expect, test } from "vitest";
import { isInstalled, STORIES } from "./managers.ts";
import { tellStory } from "./tell-story.ts";

const stories = STORIES.map(([major, manager]) => [manager.name, major, manager] as const);

test.concurrent.each(stories)("%s on Node %s: from an empty folder to a result and a program", async (...story) => {
  const [name, major, manager] = story;
  expect(isInstalled(manager), name).toBe(true);
  expect(await tellStory(major, manager)).toEqual([]);
});
