import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect, failureOf, nodeServer, SERVERS_FOLDER } from "./misbehaving.ts";

const notes = (habit?: string, timeoutMs = 10_000) =>
  nodeServer(join(SERVERS_FOLDER, "notes-server.mjs"), habit === undefined ? [] : [habit], { timeoutMs });

const namesOf = (tools: readonly { name: string }[] = []) => tools.map(({ name }) => name);

describe("resources and prompts of a server", () => {
  it("are listed as definitions beside its tools, and performed by their names", async () => {
    const connection = await connect(notes());
    const { tools, resources, prompts, problems } = await connection.snapshot();
    expect([namesOf(tools), namesOf(resources), namesOf(prompts), problems]).toEqual([
      ["append"],
      [
        "resource:list",
        "resource:*",
        "resource:note:///{folder}/{name}",
        "resource:file:///{+path}",
        "resource:search:/{?words,tags*}",
      ],
      ["prompt:review"],
      undefined,
    ]);
    expect(resources?.at(-1)?.["inputSchema"]).toEqual({
      type: "object",
      properties: { words: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
      required: [],
      additionalProperties: false,
    });
    expect(prompts?.[0]?.["inputSchema"]).toMatchObject({ properties: { topic: {}, tone: {} }, required: ["topic"] });

    const valueOf = async (name: string, input: unknown = {}) =>
      (await connection.callTool(name, input as never))["structuredContent"];
    expect(await valueOf("resource:list")).toEqual([
      { uri: "note:///open/today", name: "today" },
      { uri: "note:///secret/key", name: "key" },
      { uri: "note:///open/../secret/key", name: "detour" },
    ]);
    expect(await valueOf("resource:note:///{folder}/{name}", { folder: "a b", name: "../ü" })).toBe(
      "text of note:///a%20b/..%2F%C3%BC",
    );
    expect(await valueOf("resource:*", "note:///open/blob")).toEqual({
      uri: "note:///open/blob",
      mimeType: "image/png",
      blob: "AAEC",
    });
    expect(await valueOf("resource:*", "note:///open/several")).toEqual([
      { uri: "note:///open/several/1", text: "one" },
      { uri: "note:///open/several/2", blob: "AA==" },
    ]);
    expect(await valueOf("resource:*", "note:///open/none")).toEqual([]);
    expect(await valueOf("prompt:review", { topic: "x" })).toEqual({
      description: "review of x",
      messages: [{ role: "user", content: { type: "text", text: '{"topic":"x"}' } }],
    });
  });

  it("are left out one by one where they are broken, like a tool that has the name of one", async () => {
    const { tools, resources, prompts, problems = [] } = await (await connect(notes("broken-entries"))).snapshot();
    expect([namesOf(tools), namesOf(resources).slice(2), namesOf(prompts)]).toEqual([
      ["append"],
      ["resource:note:///{folder}/{name}", "resource:file:///{+path}", "resource:search:/{?words,tags*}"],
      ["prompt:review"],
    ]);
    expect(problems.map(({ list = "tools", reason, position }) => `${list} ${position} ${reason}`)).toEqual([
      ...[1, 2, 3].map((position) => `tools ${position} reserved-name`),
      "resources 3 duplicate-name",
      ...[4, 5, 6, 7, 8, 9, 10].map((position) => `resources ${position} bad-template`),
      "resources 11 no-name",
      "resources 12 not-an-object",
      "prompts 1 duplicate-name",
      ...[2, 3, 4].map((position) => `prompts ${position} bad-arguments`),
      "prompts 5 not-an-object",
    ]);
  });

  it.each(["endless-pages", "flood", "wrong-types", "silent"])(
    "cost no tool where their lists are wrong: %s",
    async (habit) => {
      const connection = await connect(notes(habit, habit === "silent" ? 1500 : 10_000));
      const { tools, resources, prompts, problems } = await connection.snapshot();
      expect([namesOf(tools), namesOf(resources), namesOf(prompts)]).toEqual([
        ["append"],
        ["resource:list", "resource:*"],
        [],
      ]);
      expect(problems?.map(({ list, reason }) => `${list} ${reason}`)).toEqual([
        "resources not-listed",
        // A cursor that repeats ends a list; what it has named until then counts.
        habit === "endless-pages" ? "prompts repeated-cursor" : "prompts not-listed",
      ]);
      if (habit !== "silent")
        expect(await failureOf(connection.callTool("resource:list", {}))).toMatchObject({ kind: "protocol" });
      expect(await connection.callTool("append", {})).toMatchObject({ content: [{ text: "append" }] });
    },
  );

  it("are none where the server does not know their methods", async () => {
    const { resources, prompts, problems } = await (await connect(notes("unknown"))).snapshot();
    expect([namesOf(resources), prompts, problems]).toEqual([["resource:list", "resource:*"], [], undefined]);
  });

  it("fail with one error where the answer is of a wrong type", async () => {
    const connection = await connect(notes("wrong-types"));
    const read = ["x:text", "x:number", "x:empty", "x:blob"].map((uri): [string, unknown] => ["resource:*", uri]);
    const got = ["text", "role", "bare"].map((name): [string, unknown] => [`prompt:${name}`, {}]);
    for (const [name, input] of [...read, ...got]) {
      expect(await failureOf(connection.callTool(name, input as never)), name).toMatchObject({
        kind: "protocol",
        message: expect.stringContaining("has no array"),
      });
    }
  });
});
