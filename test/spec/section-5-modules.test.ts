import { describe, expect, test } from "vitest";
import { serveProject, text } from "./serve-project.ts";

const object = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
const image = { content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] };
const audio = { content: [{ type: "audio", data: "aGk=", mimeType: "audio/wav" }] };
const twoTexts = {
  content: [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ],
};
const link = { content: [{ type: "resource_link", uri: "file:///a", name: "a" }] };
const withStructure = { ...text("ignored"), structuredContent: { degrees: 21 } };

const { client, resultOf } = serveProject(() => ({
  servers: {
    "--My  Server (v2)!--": [{ name: "one", inputSchema: object, description: "The first." }],
    Änd_erés: [],
    twice: [{ name: "first", inputSchema: object }],
    Twice: [{ name: "second", inputSchema: object }],
    "TWICE?": [{ name: "third", inputSchema: object }],
    shapes: [
      { name: "object", inputSchema: object },
      { name: "empty", inputSchema: {} },
      { name: "no-properties", inputSchema: { type: "object", properties: {} } },
      { name: "absent" },
      { name: "list", inputSchema: { type: "array", items: { type: "string" } } },
      { name: "word", inputSchema: { type: "string" } },
    ],
    results: [
      { name: "structured", inputSchema: {}, "x-answer": withStructure },
      { name: "structured-null", inputSchema: {}, "x-answer": { ...text("ignored"), structuredContent: {} } },
      { name: "single-text", inputSchema: {}, "x-answer": text('{"not": "parsed"}') },
      { name: "image", inputSchema: {}, "x-answer": image },
      { name: "audio", inputSchema: {}, "x-answer": audio },
      { name: "two-texts", inputSchema: {}, "x-answer": twoTexts },
      { name: "link", inputSchema: {}, "x-answer": link },
      { name: "nothing", inputSchema: {}, "x-answer": { content: [] } },
    ],
  },
}));

test("each server is a module, whose path follows from its name [5/module] [5.0.1/lowercase] [5.0.1/replaced] [5.0.1/collapsed] [5.0.1/stripped] [5.0.1/reflected]", async () => {
  const code = `import * as server from "@codemode/servers/my-server-v2";
import * as other from "@codemode/servers/nd-er-s";
import { listServers } from "@codemode/discovery";
export default [server.__meta__.serverId, other.__meta__.serverId, (await listServers()).map(({ serverId }) => serverId)];`;
  expect(await resultOf(code)).toEqual([
    "my-server-v2",
    "nd-er-s",
    expect.arrayContaining(["my-server-v2", "nd-er-s", "twice", "twice--2", "twice--3"]),
  ]);
});

test("of equal paths the first stays clean, and the others are numbered from 2 [5.0.1/collisions]", async () => {
  const code = `import * as a from "@codemode/servers/twice"; import * as b from "@codemode/servers/twice--2";
import * as c from "@codemode/servers/twice--3";
export default [a, b, c].map(({ __meta__ }) => [__meta__.serverId, __meta__.serverName, __meta__.tools[0].toolName]);`;
  expect(await resultOf(code)).toEqual([
    ["twice", "twice", "first"],
    ["twice--2", "Twice", "second"],
    ["twice--3", "TWICE?", "third"],
  ]);
});

test("a module exports one async function for each tool, and __meta__ [5.1/functions] [5.1/meta] [5.2/shape]", async () => {
  const code = `import * as server from "@codemode/servers/my-server-v2";
const promise = server.one({ a: 1 });
export default [Object.keys(server).sort(), promise instanceof Promise, typeof (await promise), server.__meta__];`;
  expect(await resultOf(code)).toEqual([
    ["__meta__", "one"],
    true,
    "string",
    {
      serverId: "my-server-v2",
      serverName: "--My  Server (v2)!--",
      serverVersion: "1.0.0",
      tools: [{ toolName: "one", exportName: "one", description: "The first." }],
    },
  ]);
});

describe("a binding", () => {
  const call = (expression: string): Promise<unknown> =>
    resultOf(`import * as shapes from "@codemode/servers/shapes";\nexport default await ${expression};`);

  test("takes one object [5.3/callable] [5.3.1/object]", async () => {
    expect(await call("shapes.object({ a: 1 })")).toBe('object {"a":1}');
  });

  test.each(["empty", "no_properties", "absent"])(
    "without properties takes nothing, or an empty object: %s [5.3.1/empty]",
    async (name) => {
      const toolName = name.replace("_", "-");
      expect(await call(`shapes.${name}()`)).toBe(`${toolName} {}`);
      expect(await call(`shapes.${name}({})`)).toBe(`${toolName} {}`);
    },
  );

  test("of another root type takes a value of that type [5.3.1/non-object]", async () => {
    expect(await call('shapes.list(["a"])')).toBe('list ["a"]');
    expect(await call('shapes.word("a")')).toBe('word "a"');
    expect(await call('shapes.list("a").catch(({ name }) => name)')).toBe("SchemaValidationError");
  });
});

describe("a result", () => {
  // As text: images of a result leave the answer for content blocks.
  const call = async (name: string): Promise<unknown> => {
    const code = `import { ${name} } from "@codemode/servers/results";\nexport default JSON.stringify(await ${name}());`;
    return JSON.parse(String(await resultOf(code)));
  };

  test("is the structured content, if there is any [5.3.2/structured]", async () => {
    expect(await call("structured")).toEqual({ degrees: 21 });
    expect(await call("structured_null")).toEqual({});
  });

  test("is the text of a single text block, as it is [5.3.2/text]", async () => {
    expect(await call("single_text")).toBe('{"not": "parsed"}');
  });

  test("is the whole result where there are images or audio, in base64 [5.3.2/binary]", async () => {
    expect(await call("image")).toMatchObject(image);
    expect(await call("audio")).toMatchObject(audio);
  });

  test("is the whole result otherwise [5.3.2/otherwise]", async () => {
    expect(await call("two_texts")).toMatchObject(twoTexts);
    expect(await call("link")).toMatchObject(link);
    expect(await call("nothing")).toMatchObject({ content: [] });
  });

  test("follows documented rules [5.3.2/documented]", () => {
    const instructions = client().getInstructions() ?? "";
    for (const words of ["structuredContent", "single text block", "whole MCP result", "base64"]) {
      expect(instructions).toContain(words);
    }
  });
});
