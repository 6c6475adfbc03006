import { expect, test } from "vitest";
import type { Parameter } from "../../openapi/operations.ts";
import {
  serializeInCookie,
  serializeInHeader,
  serializeInPath,
  serializeInQuery,
} from "../../openapi/request/serialize-parameter.ts";

const PRIMITIVE = "blue";
const LIST = ["blue", "black", "brown"];
const OBJECT = { R: 100, G: 200, B: 150 };

function parameter(style: Parameter["style"], explode: boolean, rest: Partial<Parameter> = {}): Parameter {
  const base = { name: "color", place: "query", required: false, deprecated: false, allowReserved: false } as const;
  return { ...base, schema: { value: true, pointer: "#" }, style, explode, ...rest };
}

const inQuery = (style: Parameter["style"], explode: boolean) => (value: typeof LIST | typeof OBJECT | string) =>
  serializeInQuery(parameter(style, explode), value).join("&");
const inPath = (style: Parameter["style"], explode: boolean) => (value: typeof LIST | typeof OBJECT | string) =>
  serializeInPath(parameter(style, explode), value);
const inHeader = (explode: boolean) => (value: typeof LIST | typeof OBJECT | string) =>
  serializeInHeader(parameter("simple", explode), value);

// The table "Style Examples" of the specification, 3.1.1; it encodes the delimiters of a query.
test.each([
  ["matrix", inPath("matrix", false), ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
  ["matrix*", inPath("matrix", true), ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"],
  ["label", inPath("label", false), ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
  ["label*", inPath("label", true), ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
  ["simple", inPath("simple", false), "blue", "blue,black,brown", "R,100,G,200,B,150"],
  ["simple*", inPath("simple", true), "blue", "blue,black,brown", "R=100,G=200,B=150"],
  ["header", inHeader(false), "blue", "blue,black,brown", "R,100,G,200,B,150"],
  ["header*", inHeader(true), "blue", "blue,black,brown", "R=100,G=200,B=150"],
  ["form", inQuery("form", false), "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
  ["form*", inQuery("form", true), "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
  [
    "spaceDelimited",
    inQuery("spaceDelimited", false),
    "color=blue",
    "color=blue%20black%20brown",
    "color=R%20100%20G%20200%20B%20150",
  ],
  [
    "pipeDelimited",
    inQuery("pipeDelimited", false),
    "color=blue",
    "color=blue%7Cblack%7Cbrown",
    "color=R%7C100%7CG%7C200%7CB%7C150",
  ],
])("%s writes values as the specification does", (_, write, primitive, list, object) => {
  expect([write(PRIMITIVE), write(LIST), write(OBJECT)]).toEqual([primitive, list, object]);
});

test("deepObject writes members in brackets", () => {
  expect(inQuery("deepObject", true)(OBJECT)).toBe("color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150");
  const nested = { a: { b: "c" }, list: [1, 2] };
  expect(serializeInQuery(parameter("deepObject", true), nested)).toEqual([
    "color%5Ba%5D%5Bb%5D=c",
    "color%5Blist%5D=1",
    "color%5Blist%5D=2",
  ]);
});

test("a value is one value: delimiters and characters of an address in it are encoded", () => {
  expect(inPath("simple", false)("a/../b?c#d;e,f%2F")).toBe("a%2F..%2Fb%3Fc%23d%3Be%2Cf%252F");
  expect(inQuery("form", false)(["a,b", "c&d=e+f"])).toBe("color=a%2Cb,c%26d%3De%2Bf");
  const reserved = parameter("form", true, { allowReserved: true });
  expect(serializeInQuery(reserved, "a/b?c=d&e#f+g")).toEqual(["color=a/b?c=d%26e%23f%2Bg"]);
  expect(serializeInCookie(parameter("form", false), "a; b=c")).toBe("color=a%3B%20b%3Dc");
  expect(() => inHeader(false)("a\r\nHost: evil.example")).toThrow("has a character that no header can have");
  expect(inQuery("form", true)("\uD800")).toBe("color=%EF%BF%BD");
});

test("a parameter with a media type is written in it", () => {
  const json = parameter("form", true, { mediaType: "application/json" });
  expect(serializeInQuery(json, { a: [1, "x"] })).toEqual(["color=%7B%22a%22%3A%5B1%2C%22x%22%5D%7D"]);
});
