import { describe, expect, test } from "vitest";
import { cutJson, takeMedia } from "../../../serve/answers/served-result.ts";
import { printSketch, printType } from "../../../serve/answers/value-shape.ts";
import { scanJson } from "../../../serve/answers/scan-json.ts";

const shapeOf = (value: unknown) => {
  const scan = scanJson(JSON.stringify(value));
  if (scan === undefined) throw new Error("It is JSON.");
  return scan.shape;
};

const shapes: [unknown, string, string][] = [
  [1.5e-3, "number", "number"],
  ["a", "string", "string"],
  [null, "null", "any"],
  [[], "unknown[] /* 0 items */", "any[]"],
  [[1, "a", null], "(null | number | string)[] /* 3 items */", "any[]"],
  [{}, "{}", "{  }"],
  [
    {
      items: [
        { id: 1, tags: ["x"] },
        { id: 2, tags: [], "no-name": true },
      ],
      total: 2,
    },
    '{ items: { id: number; tags: string[]; "no-name"?: boolean }[] /* 2 items */; total: number }',
    '{ items: { id: number; tags: string[]; "no-name"?: any }[]; total: number }',
  ],
];

test.each(shapes)("%j has the shape %s, and the type %s", (value, sketch, type) => {
  expect([printSketch(shapeOf(value)), printType(shapeOf(value))]).toEqual([sketch, type]);
});

test("a shape is bounded for any value", () => {
  const wide = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => [`key ${index}`, { [`k${index}`]: [index] }]),
  );
  const deep = JSON.parse(`${'{"a":['.repeat(100)}1${"]}".repeat(100)}`) as unknown;
  for (const value of [wide, deep, { ["x".repeat(10_000)]: 1 }]) {
    expect(printSketch(shapeOf(value)).length).toBeLessThanOrEqual(800);
    expect(printType(shapeOf(value)).length).toBeLessThan(20_000);
  }
  expect(printType(shapeOf(wide))).toContain("[key: string]: any");
});

test("a key of a result stays a key in the type", () => {
  const type = printType(shapeOf({ "x: any }; declare const y: { z": 1, "\u202e*/": 2, __proto__x: 3 }));
  expect(type).toBe('{ "x: any }; declare const y: { z": number; "\\u202e*/": number; __proto__x: number }');
});

const broken = [
  "",
  "{",
  "[1,]",
  '{"a":1,}',
  '{"a" 1}',
  "{a:1}",
  '"a',
  "1 2",
  "01",
  "tru",
  "[1}",
  "\u00a01",
  "nul",
  "-",
  "[".repeat(300) + "]".repeat(300),
];

test.each(broken)("%j is no JSON that a sandbox may send", (text) => {
  expect(scanJson(text)).toBeUndefined();
});

test("white space of JSON is skipped", () => {
  expect(scanJson(' \n{ "a" : [ 1 , 2 ] , "b" : { } }\t')).toBeDefined();
});

describe("the beginning of a long text", () => {
  const value = { a: [1, 22, { b: 'q"\\\u1234é😀\n', c: null }], 'k"1': true, s: "abc\\\\", x: [[], {}] };
  const text = JSON.stringify(value);

  test.each(Array.from({ length: text.length }, (_, index) => index))("of %i characters is JSON", (length) => {
    const cut = cutJson(text, length);
    expect(() => JSON.parse(cut)).not.toThrow();
    expect(cut.length).toBeLessThanOrEqual(Math.max(length, 4) + 8);
  });

  test("has whole items, and of a last string as much as there is room for", () => {
    expect(cutJson('[{"id":1},{"id":2},{"id":3}]', 20)).toBe('[{"id":1},{"id":2}]');
    expect(cutJson('["abcdefghij","klmnopqrst"]', 18)).toBe('["abcdefghij","klm"]');
    expect(cutJson("123456789", 4)).toBe("null");
  });
});

describe("images and sounds", () => {
  const image = { type: "image", data: "aGk=", mimeType: "image/png" };
  const take = (value: unknown) => {
    const json = JSON.stringify(value);
    const { json: left, blocks } = takeMedia(json, scanJson(json)?.media ?? []);
    return { left: JSON.parse(left) as unknown, blocks };
  };

  test("leave a placeholder that counts the blocks from 1", () => {
    const sound = { mimeType: "audio/wav", data: "AAAA", type: "audio", annotations: { priority: 1 } };
    expect(take({ content: [{ type: "text", text: "hi" }, image], more: [sound] })).toEqual({
      left: {
        content: [
          { type: "text", text: "hi" },
          { type: "image", content: 1, mimeType: "image/png" },
        ],
        more: [{ mimeType: "audio/wav", content: 2, type: "audio", annotations: { priority: 1 } }],
      },
      blocks: [image, { type: "audio", data: "AAAA", mimeType: "audio/wav" }],
    });
  });

  test("are only those of the form that MCP gives them", () => {
    const others = [
      { ...image, type: "video" },
      { ...image, mimeType: "text/html" },
      { ...image, mimeType: "image/png\r\nx: y" },
      { ...image, data: "not base64!" },
      { ...image, data: 'aGk=","x":"' },
      { type: "image", mimeType: "image/png" },
      { type: "image", data: ["aGk="], mimeType: "image/png" },
    ];
    expect(take(others)).toEqual({ left: others, blocks: [] });
  });

  test("are bounded; others stay in the result", () => {
    const many = Array.from({ length: 30 }, () => image);
    expect(take(many).blocks).toHaveLength(20);
    const huge = [{ ...image, data: "A".repeat(9 * 1024 * 1024) }, image];
    expect(take(huge).blocks).toEqual([image]);
  });
});

test("an image in an embedded resource is a block too, and other bytes stay text", () => {
  const resource = { uri: "a:/1", mimeType: "image/png", blob: "AAEC" };
  const json = JSON.stringify([
    resource,
    { ...resource, mimeType: "application/zip" },
    { ...resource, uri: undefined },
  ]);
  const { json: left, blocks } = takeMedia(json, scanJson(json)?.media ?? []);
  expect(blocks).toEqual([{ type: "image", mimeType: "image/png", data: "AAEC" }]);
  expect(JSON.parse(left)).toMatchObject([{ content: 1 }, { blob: "AAEC" }, { blob: "AAEC" }]);
});
