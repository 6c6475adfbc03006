import { expect, test } from "vitest";
import { expandUriTemplate, parseUriTemplate } from "../../runtime/mcp/client/operations/uri-template.ts";
import type { JsonObject } from "../../schemas/json/json.ts";

/** The values of the examples of RFC 6570, 3.2, as far as they are texts and lists. */
const VALUES: JsonObject = {
  ...{
    var: "value",
    hello: "Hello World!",
    half: "50%",
    empty: "",
    path: "/foo/bar",
    base: "http://example.com/home/",
  },
  ...{ x: "1024", y: "768", list: ["red", "green", "blue"], v: "6", who: "fred", dub: "me/too" },
};

test.each([
  ["{var}", "value"],
  ["{hello}", "Hello%20World%21"],
  ["{half}", "50%25"],
  ["O{empty}X", "OX"],
  ["O{undef}X", "OX"],
  ["{x,y}", "1024,768"],
  ["{x,hello,y}", "1024,Hello%20World%21,768"],
  ["?{x,empty}", "?1024,"],
  ["{var:3}", "val"],
  ["{var:30}", "value"],
  ["{list}", "red,green,blue"],
  ["{list*}", "red,green,blue"],
  ["{+hello}", "Hello%20World!"],
  ["{+half}", "50%25"],
  ["{+base}index", "http://example.com/home/index"],
  ["{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"],
  ["{+path}/here", "/foo/bar/here"],
  ["{+path:6}/here", "/foo/b/here"],
  ["{#var}", "#value"],
  ["{#path,x}/here", "#/foo/bar,1024/here"],
  ["X{.var}", "X.value"],
  ["X{.x,y}", "X.1024.768"],
  ["X{.list*}", "X.red.green.blue"],
  ["{/who}", "/fred"],
  ["{/who,dub}", "/fred/me%2Ftoo"],
  ["{/var,empty}", "/value/"],
  ["{/list*}", "/red/green/blue"],
  ["{;who}", ";who=fred"],
  ["{;empty}", ";empty"],
  ["{;v,empty,who}", ";v=6;empty;who=fred"],
  ["{;list*}", ";list=red;list=green;list=blue"],
  ["{?who}", "?who=fred"],
  ["{?x,y,empty}", "?x=1024&y=768&empty="],
  ["{?x,y,undef}", "?x=1024&y=768"],
  ["{?undef}", ""],
  ["{?list*}", "?list=red&list=green&list=blue"],
  ["{&var:3}", "&var=val"],
  ["?fixed=yes{&x,empty}", "?fixed=yes&x=1024&empty="],
])("the template %s gives %s, as RFC 6570 has it", (template, expected) => {
  const parsed = parseUriTemplate(`s:${template}`);
  expect(parsed && expandUriTemplate(parsed, VALUES)).toBe(`s:${expected}`);
});

test("a variable is required where one of its places needs it, and a list where one of them takes a list", () => {
  const variablesOf = (template: string) => parseUriTemplate(template)?.variables;
  const plain = { name: "a", isList: false, isRequired: true };
  expect(variablesOf("s:/{a}{?a}")).toEqual([plain]);
  expect(variablesOf("s:{?a}/{a}")).toEqual([plain]);
  expect(variablesOf("s:{?a}{&b}")).toEqual([
    { name: "a", isList: false, isRequired: false },
    { name: "b", isList: false, isRequired: false },
  ]);
  expect(variablesOf("s:/{a*}/{a}")).toEqual([{ ...plain, isList: true }]);
  expect(variablesOf("s:/{a}/{a*}")).toEqual([{ ...plain, isList: true }]);
  expect(variablesOf("s:{+b}{#c}{.d}{/e}{;f}")?.map(({ isRequired }) => isRequired)).toEqual(Array(5).fill(true));
});

test.each([
  "/no/scheme/{a}",
  "{a}:open-scheme",
  "s:{a",
  "s:a}",
  "s:{}",
  "s:{a,}",
  "s:{=a}",
  "s:{a:0}",
  "s:{a:10000}",
  "s:{a b}",
  "s:has blank",
  "s:%zz",
  `s:${"x".repeat(2047)}`,
  `s:${Array.from({ length: 51 }, (_, index) => `{a${index}}`).join("")}`,
])("the template %j is none", (template) => {
  expect(parseUriTemplate(template)).toBeUndefined();
});

test("at most fifty variables and 2,048 characters are read, with letters of other scripts and names with a hyphen", () => {
  expect(parseUriTemplate(`s:${Array.from({ length: 50 }, (_, index) => `{a${index}}`).join("")}`)).toBeDefined();
  expect(parseUriTemplate(`s:${"x".repeat(2046)}`)).toBeDefined();
  const parsed = parseUriTemplate("s:/straße/%C3%9F/{user-id}");
  expect(parsed && expandUriTemplate(parsed, { "user-id": "ö" })).toBe("s:/straße/%C3%9F/%C3%B6");
});

test("a value of a wrong type, and half of a character, give no URI; escapes of a reserved value stay", () => {
  const expand = (template: string, values: JsonObject) => {
    const parsed = parseUriTemplate(template);
    return parsed && expandUriTemplate(parsed, values);
  };
  expect(expand("s:{a}", { a: 1 })).toBeUndefined();
  expect(expand("s:{a*}", { a: ["x", null] })).toBeUndefined();
  expect(expand("s:{a}", { a: "\ud800" })).toBeUndefined();
  expect(expand("s:{+a}", { a: "%2F[x]%" })).toBe("s:%2F[x]%25");
  expect(expand("s:{a:1}", { a: "😀x" })).toBe("s:%F0%9F%98%80");
  expect(expand("s:{toString}", {})).toBe("s:");
});
