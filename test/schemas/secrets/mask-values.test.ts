import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formsOf, makeFinder } from "../../../schemas/secrets/find-values.ts";
import { maskJson, maskTexts } from "../../../schemas/secrets/mask-json.ts";
import { makeValueMask } from "../../../schemas/secrets/mask-values.ts";
import { TextTail } from "../../../runtime/mcp/client/stdio/server-process.ts";

const CONFIGURED = { KEY: `a/b+ "c"\n(é)!` };

describe("an exact value is masked", () => {
  test.each([
    ["as it is", CONFIGURED.KEY],
    ["printed as JSON", 'a/b+ \\"c\\"\\n(é)!'],
    ["in JSON with all beyond ASCII escaped", 'a/b+ \\"c\\"\\n(\\u00e9)!'],
    ["in JSON with slashes escaped", 'a\\/b+ \\"c\\"\\n(é)!'],
    ["in JSON with both escaped", 'a\\/b+ \\"c\\"\\n(\\u00e9)!'],
    ["in JSON that is printed into JSON", 'a/b+ \\\\\\"c\\\\\\"\\\\n(é)!'],
    ["in escaped JSON that is printed into JSON", 'a\\\\/b+ \\\\\\"c\\\\\\"\\\\n(\\\\u00e9)!'],
    ["in a URL", "a%2Fb%2B%20%22c%22%0A(%C3%A9)!"],
    ["in a URL, strictly", "a%2Fb%2B%20%22c%22%0A%28%C3%A9%29%21"],
    ["in a URL, in small digits", "a%2fb%2b%20%22c%22%0a(%c3%a9)!"],
    ["in a URL that keeps slashes", "a/b%2B%20%22c%22%0A(%C3%A9)!"],
    ["in a form", "a%2Fb%2B+%22c%22%0A%28%C3%A9%29%21"],
    ["with its accent apart", `a/b+ "c"\n(e\u0301)!`],
    ["with its accent apart, in JSON", 'a/b+ \\"c\\"\\n(e\\u0301)!'],
    ["with its accent apart, in a URL", "a%2Fb%2B%20%22c%22%0A(e%CC%81)!"],
  ])("%s: %j", (_, text) => {
    expect(makeValueMask(CONFIGURED).text(`<${text}>${text}`)).toBe("<[redacted: KEY]>[redacted: KEY]");
  });

  test("written with its accent apart, as a letter with it too", () => {
    expect(makeValueMask({ KEY: "cafe\u0301" }).text("caf\u00e9 cafe\u0301")).toBe("[redacted: KEY] [redacted: KEY]");
  });

  test("also a lone surrogate, which no URL can hold", () => {
    expect(makeValueMask({ KEY: "abc\ud800" }).text("abc\ud800 abc\\ud800")).toBe("[redacted: KEY] [redacted: KEY]");
    expect(formsOf("abc\ud800")).toEqual(["abc\ud800", "abc\\ud800", "abc\\\\ud800"]);
  });

  test("of several forms each is looked for once", () => {
    expect(formsOf("abc-DEF_123.~")).toEqual(["abc-DEF_123.~"]);
    expect(formsOf("ab*1")).toEqual(["ab*1", "ab%2A1", "ab%2a1"]);
    expect(formsOf("abc/1")).toEqual(["abc/1", "abc\\/1", "abc\\\\/1", "abc%2F1", "abc%2f1"]);
  });

  test("a file as a value is looked for as text and in JSON, which is fast", () => {
    const file = '"(\n'.repeat(3000);
    expect(formsOf(file)).toEqual([file, '\\"(\\n'.repeat(3000), '\\\\\\"(\\\\n'.repeat(3000)]);
    expect(formsOf("(".repeat(8193))).toEqual(["(".repeat(8193)]);
    expect(formsOf("(".repeat(8192))).toHaveLength(2);
    expect(makeValueMask({ FILE: file }).text(`x${JSON.stringify(file)}`)).toBe('x"[redacted: FILE]"');
  });

  test("one below four characters is not: it is a part of ordinary words", () => {
    const { text, isEmpty } = makeValueMask({ YES: "yes", EMPTY: "", OK: "okay" });
    expect([text("yes okay"), isEmpty]).toEqual(["yes [redacted: OK]", false]);
    expect(makeValueMask({ YES: "yes", EMPTY: "" })).toMatchObject({ isEmpty: true });
    expect(makeValueMask([]).text("yes")).toBe("yes");
    // Its letters are fewer once they are joined.
    expect(makeValueMask({ KEY: "abe\u0301" }).text("ab\u00e9 abe\u0301")).toBe("ab\u00e9 [redacted: KEY]");
  });

  test("nor is one below that in a longer form: of two letters, and a sign that is three in a URL", () => {
    expect(makeValueMask({ KEY: "a/b" }).text("a%2Fb a\\/b a/b")).toBe("a%2Fb a\\/b a/b");
  });

  test("one of a megabyte is, which no expression can hold", () => {
    const value = "x".repeat(1_000_000);
    expect(makeValueMask({ KEY: value }).text(`<${value}>`)).toBe("<[redacted: KEY]>");
  });

  test("one that holds another one is masked as a whole", () => {
    const both = makeValueMask({ SHORT: "inner", LONG: "an inner one" });
    expect(both.text("an inner one, inner, an inner two")).toBe(
      "[redacted: LONG], [redacted: SHORT], an [redacted: SHORT] two",
    );
  });

  test("one that has two names by the first of them", () => {
    expect(
      makeValueMask([
        ["ONE", "same-value"],
        ["TWO", "same-value"],
      ]).text("same-value"),
    ).toBe("[redacted: ONE]");
  });

  test("and what is put in its place is not searched again", () => {
    expect(makeValueMask({ KEY: "s3cr3t", redacted: "redacted", NAME: "KEY]" }).text("s3cr3t")).toBe("[redacted: KEY]");
  });
});

test("a text is split at values", () => {
  const { split } = makeValueMask({ KEY: "s3cr3t" });
  const credential = { credential: "KEY" };
  expect(split("s3cr3t")).toEqual([credential]);
  expect(split("as3cr3ts3cr3tb")).toEqual(["a", credential, credential, "b"]);
  expect(split("none")).toEqual(["none"]);
  expect(split("")).toEqual([""]);
});

test("JSON text is known to hold none of them", () => {
  const { mayHold } = makeValueMask({ KEY: 'a"b/c' });
  expect(["{}", '"xa\\"b/c"', '"a%22b%2Fc"', '"\\u0061"', '"\\/"'].map(mayHold)).toEqual([
    ...[false, true, true, true, true],
  ]);
  expect(["{}", '"\\u0061"'].map(makeValueMask({}).mayHold)).toEqual([false, false]);
});

describe("however many values there are, and however long,", () => {
  const values = fc.uniqueArray(fc.string({ unit: fc.constantFrom("a", "b", "."), minLength: 4, maxLength: 8 }), {
    minLength: 1,
    maxLength: 12,
  });
  const texts = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 60 });
  /** So many that no expression holds them; none of them is in a text. */
  const MANY = Array.from({ length: 1500 }, (_, at) => `many${at}`);

  test("the same is found", () => {
    fc.assert(
      fc.property(values, texts, (forms, text) => {
        const found = makeFinder(forms)(text);
        expect(makeFinder([...forms, ...MANY])(text)).toEqual(found);
        expect(makeFinder([...forms, "x".repeat(10_000)])(text)).toEqual(found);
        for (const { start, end, form } of found) expect(text.slice(start, end)).toBe(form);
      }),
    );
  });

  test("the longest comes first", () => {
    const forms = ["abcd", "abcdef", "abcde"];
    for (const more of [[], MANY]) {
      expect(makeFinder([...forms, ...more])("xabcdefabcde").map(({ form }) => form)).toEqual(["abcdef", "abcde"]);
    }
  });

  test("signs of expressions stand for themselves", () => {
    const sign = "\\^$.*+?()[]{}|/-";
    expect(makeFinder([sign])(`x${sign}x`)).toEqual([{ start: 1, end: 1 + sign.length, form: sign }]);
    expect(makeFinder(["a.c.", "a|c|"])("abcb a")).toEqual([]);
  });
});

describe("in chunks", () => {
  const push = (values: Record<string, string>, chunks: readonly string[]): string[] => {
    const masked = makeValueMask(values).chunks();
    return [...chunks.map((chunk) => masked.push(chunk)), masked.end()];
  };

  test("a value is masked where they cut it in two, and all else is passed on at once", () => {
    expect(push({ KEY: "s3cr3t" }, ["at s", "3c", "r3t and", " more"])).toEqual([
      ...["at ", "", "[redacted: KEY] and", " more", ""],
    ]);
  });

  test("what only began like a value is passed on with the next chunk, or at the end", () => {
    expect(push({ KEY: "s3cr3t" }, ["as3c", "x", "as3"])).toEqual(["a", "s3cx", "a", "s3"]);
  });

  test("a value waits for a longer one that begins with it", () => {
    expect(push({ SHORT: "abcd", LONG: "abcdefgh" }, ["abcd", "ef", "gh", "abcd", "x", "abcd"])).toEqual([
      ...["", "", "[redacted: LONG]", "", "[redacted: SHORT]x", "", "[redacted: SHORT]"],
    ]);
  });

  test("a value that is whole is masked at once, also where others are longer", () => {
    expect(push({ SHORT: "abcd", LONG: "xyzxyzxyz" }, ["abcd", "-abcd", "bcd"])).toEqual([
      ...["[redacted: SHORT]", "-[redacted: SHORT]", "bcd", ""],
    ]);
  });

  test("the end of a value is no beginning of the next one", () => {
    expect(push({ ONE: "abcd", TWO: "cdxy" }, ["abcd", "xy"])).toEqual(["[redacted: ONE]", "xy", ""]);
    expect(push({ ONE: "abcd", TWO: "cdxy" }, ["abcdc", "dxy"])).toEqual(["[redacted: ONE]", "[redacted: TWO]", ""]);
  });

  test("without a value each is passed on", () => {
    expect(push({}, ["a", "b"])).toEqual(["a", "b", ""]);
  });

  test("the whole is what it would be in one", () => {
    const letters = fc.constantFrom("a", "b", "%");
    const values = fc.array(fc.string({ unit: letters, minLength: 4, maxLength: 9 }), { minLength: 1, maxLength: 5 });
    const chunks = fc.array(fc.string({ unit: letters, maxLength: 12 }), { maxLength: 12 });
    fc.assert(
      fc.property(values, chunks, (list, parts) => {
        const named = Object.fromEntries(list.map((value, at) => [`V${at}`, value]));
        expect(push(named, parts).join("")).toBe(makeValueMask(named).text(parts.join("")));
      }),
    );
  });

  test("the last words of a program hold no half of a value, wherever they are cut", () => {
    const secret = "s3cr3t-".repeat(20);
    for (let length = 60; length < 200; length += 1) {
      const tail = new TextTail(makeValueMask({ KEY: secret }).chunks(), 50);
      const words = Buffer.from(`${secret}${"é".repeat(length)}`);
      for (let at = 0; at < words.length; at += 33) tail.append(words.subarray(at, at + 33));
      expect(tail.text()).toBe("é".repeat(50));
      tail.append(Buffer.from(` ${secret}.`));
      expect(tail.text().endsWith("é [redacted: KEY].")).toBe(true);
    }
  });
});

describe("in JSON", () => {
  test("every text and the name of every member is masked, at every depth", () => {
    const value = [null, 1, true, "s3cr3t", { s3cr3t: ["x s3cr3t", { a: {} }], __proto__: null }];
    const { text } = makeValueMask({ KEY: "s3cr3t" });
    expect(maskTexts(value, text)).toEqual([
      ...[null, 1, true, "[redacted: KEY]", { "[redacted: KEY]": ["x [redacted: KEY]", { a: {} }] }],
    ]);
    const hostile = maskTexts(JSON.parse('{"__proto__":{"a":"s3cr3t"}}') as object, text);
    expect(JSON.stringify(hostile)).toBe('{"__proto__":{"a":"[redacted: KEY]"}}');
  });

  test("a member can be masked as a whole, by its name as it was", () => {
    const seen: unknown[] = [];
    const masked = maskJson(
      { token: { a: "b" }, other: { a: "b", n: 1 }, list: [2] },
      {
        text: (text) => `<${text}>`,
        number: (number) => -number,
        member: (name, value) => {
          seen.push([name, value]);
          return name === "token" ? "hidden" : undefined;
        },
      },
    );
    expect(masked).toEqual({ token: "hidden", other: { a: "<b>", n: -1 }, list: [-2] });
    expect(seen).toContainEqual(["token", { a: "b" }]);
    expect(maskJson({ n: 1, a: "b" }, { text: () => "x", name: (name) => `${name}!` })).toEqual({ "n!": 1, "a!": "x" });
  });
});
