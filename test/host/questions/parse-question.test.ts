import { describe, expect, it, test } from "vitest";
import { parseQuestion } from "../../../runtime/host/questions/parse-question.ts";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import { type ServerQuestion, describeQuestion, cleanAnswer } from "../../../schemas/run/question.ts";

const SERVER = "evil";

function parse(params: JsonObject): ServerQuestion {
  const parsed = parseQuestion(params, SERVER);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.question;
}

function form(properties: JsonObject, required: JsonValue = []): JsonObject {
  return { message: "Tell me", requestedSchema: { type: "object", properties, required } };
}

function fieldsOf(properties: JsonObject, required?: JsonValue) {
  const question = parse(form(properties, required));
  return question.mode === "form" ? question.fields : [];
}

describe("the text of a question", () => {
  // As in approval-form.ts, ask-on-terminal.ts and the trust form.
  it.each([
    'A script asks to call these tools, any number of times in this run:\n- "files/delete": only reads',
    "\n\n\nThe policy asks for your approval to these calls, in this run alone:\nAllow? [y/N]",
    `${" ".repeat(5_000)}codemode has not started anything of this project before.`,
    "\u001b[2J\u001b[Hcodemode: allow?\r\ncodemode: yes\u2028codemode: no\u2029codemode",
    "\u202ecodemode asks\u200b<h1>codemode</h1>[codemode](https://codemode.example)`codemode`",
    "codemode\n".repeat(10_000),
  ])("is quoted line by line, and cannot pass for one of codemode's: %j", (message) => {
    const shown = describeQuestion(parse({ ...form({}), message }));
    const [head, ...lines] = shown.split("\n");
    expect(head).toBe('The server "evil" asks this in the middle of a call. These are its words, and not codemode\'s:');
    expect(lines.length).toBeLessThanOrEqual(20);
    for (const line of lines) expect(line).toMatch(/^> \S/);
    expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<`]|\]\(| {2}/u);
    expect(shown.length).toBeLessThan(7_000);
  });
});

describe("the form of a question", () => {
  test("has the flat fields that MCP allows, with what the server says of them cleaned", () => {
    const fields = fieldsOf(
      {
        name: {
          type: "string",
          title: "Full\u200b name",
          description: "a\nb",
          minLength: 2,
          default: "Ada",
          vendor: 1,
        },
        age: { type: "integer", minimum: 0, maximum: 150 },
        score: { type: "number", default: 1.5 },
        ok: { type: "boolean", default: true },
        one: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"] },
        other: { type: "string", oneOf: [{ const: "x", title: "X" }] },
        many: { type: "array", items: { type: "string", enum: ["p", "q"] }, minItems: 1, default: ["p"] },
        titled: { type: "array", items: { anyOf: [{ const: "v", title: "V" }] } },
        when: { type: "string", format: "date" },
      },
      ["name", "nothing"],
    );
    expect(fields).toEqual([
      {
        name: "name",
        title: "Full name",
        description: "a b",
        isRequired: true,
        kind: "text",
        minLength: 2,
        preset: "Ada",
      },
      { name: "age", isRequired: false, kind: "integer", minimum: 0, maximum: 150 },
      { name: "score", isRequired: false, kind: "number", preset: 1.5 },
      { name: "ok", isRequired: false, kind: "boolean", preset: true },
      {
        ...{ name: "one", isRequired: false, kind: "choice" },
        choices: [
          { value: "a", title: "A" },
          { value: "b", title: "B" },
        ],
      },
      { name: "other", isRequired: false, kind: "choice", choices: [{ value: "x", title: "X" }] },
      {
        ...{ name: "many", isRequired: false, kind: "choices", minItems: 1, preset: ["p"] },
        choices: [
          { value: "p", title: "p" },
          { value: "q", title: "q" },
        ],
      },
      { name: "titled", isRequired: false, kind: "choices", choices: [{ value: "v", title: "V" }] },
      { name: "when", isRequired: false, kind: "text", format: "date" },
    ]);
  });

  it.each<[string, JsonObject, string]>([
    ["a nested object", form({ a: { type: "object", properties: {} } }), 'the field "a" of its form is no plain'],
    ["a reference", form({ a: { $ref: "#/x" } }), 'the field "a"'],
    ["a list of objects", form({ a: { type: "array", items: { type: "object" } } }), 'the field "a"'],
    ["an empty choice", form({ a: { type: "string", enum: [] } }), 'the field "a"'],
    ["a choice that cannot be seen", form({ a: { type: "string", enum: ["\u200b"] } }), 'the field "a"'],
    ["a name that breaks lines", form({ "a\nApprove?": { type: "string" } }), "a name that cannot be shown"],
    ["a name of many", form({ ["a".repeat(101)]: { type: "string" } }), "a name that cannot be shown"],
    [
      "a name that is a prototype",
      form(JSON.parse('{"__proto__":{"type":"string"}}') as JsonObject),
      "a name that cannot be shown",
    ],
    [
      "too many fields",
      form(Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`f${at}`, { type: "string" }]))),
      "31 fields",
    ],
    ["no schema", { message: "x" }, "its schema is not one of an object"],
    ["a schema without properties", { message: "x", requestedSchema: { type: "object" } }, "no properties"],
    ["no message", { requestedSchema: { type: "object", properties: {} } }, "it has no message"],
    ["another mode", { message: "x", mode: "voice" }, "neither a form nor a URL"],
    ["a script as its URL", { message: "x", mode: "url", url: "javascript:alert(1)" }, "no https: URL (javascript:)"],
    ["a file as its URL", { message: "x", mode: "url", url: "file:///etc/passwd" }, "no https: URL (file:)"],
    ["data as its URL", { message: "x", mode: "url", url: "data:text/html,x" }, "no https: URL (data:)"],
    ["a URL that is readable on the way", { message: "x", mode: "url", url: "http://host.example" }, "(http:)"],
    [
      "a URL with another host in front",
      { message: "x", mode: "url", url: "https://bank.example@evil.example" },
      "user name",
    ],
    ["a URL that is none", { message: "x", mode: "url", url: "bank.example" }, "its URL is none"],
    [
      "a URL without end",
      { message: "x", mode: "url", url: `https://x.example/${"a".repeat(3_000)}` },
      "its URL is none",
    ],
  ])("is refused with %s", (_, params, problem) => {
    const parsed = parseQuestion(params, SERVER);
    expect(parsed).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });

  it("of a URL shows all of it, in the letters that a browser reads", () => {
    const shown = describeQuestion(parse({ message: "x", mode: "url", url: "https://pаypal.example/a?b=\u200bc" }));
    expect(shown.split("\n").slice(-2)).toEqual([
      "It wants you to open this page of xn--pypal-4ve.example yourself:",
      "https://xn--pypal-4ve.example/a?b=%E2%80%8Bc",
    ]);
  });
});

describe("an answer", () => {
  const fields = fieldsOf(
    {
      name: { type: "string", maxLength: 5 },
      age: { type: "integer", minimum: 1, default: 30 },
      mail: { type: "string", format: "email" },
      many: { type: "array", items: { type: "string", enum: ["p", "q"] }, maxItems: 2 },
    },
    ["name"],
  );

  it.each<[JsonObject, JsonObject | undefined]>([
    [{ name: "Ada" }, { name: "Ada", age: 30 }],
    [
      { name: "Ada", age: 2, more: "x", mail: "", many: ["q"] },
      { name: "Ada", age: 2, many: ["q"] },
    ],
    [{}, undefined],
    [{ name: "Ada Lovelace" }, undefined],
    [{ name: 5 }, undefined],
    [{ name: "Ada", age: 1.5 }, undefined],
    [{ name: "Ada", age: "2" }, undefined],
    [{ name: "Ada", mail: "no" }, undefined],
    [{ name: "Ada", many: ["p", "p"] }, undefined],
    [{ name: "Ada", many: ["x"] }, undefined],
  ])("%j becomes %j", (content, cleaned) => {
    expect(cleanAnswer(content, fields)).toEqual(cleaned);
  });
});
