import { expect, test } from "vitest";
import { NPM_BY_NODE } from "./managers.ts";
import { tellStory } from "./tell-story.ts";

test.each(NPM_BY_NODE)("npm on Node %s: from an empty folder to a result and a program", async (major, npm) => {
  expect(await tellStory(major, npm)).toEqual([]);
});
