import { describe, expect, test } from "vitest";
import { quickLength } from "../../../schemas/json-schema/quick-length.ts";

describe("never quick is a pattern that", () => {
  test.each([
    ["repeats a repetition", "^(a+)+$"],
    ["repeats a repetition that may be lazy", "^(a+?)*?$"],
    ["repeats what may be missing", "^(a?)*$"],
    ["repeats alternatives", "^(a|a)*$"],
    ["repeats alternatives often enough", "^(a|aa){30}$"],
    ["repeats a repetition deep inside", "^(x(y(a*b)c)d)+$"],
    ["repeats a choice of lengths", "^(a{1,9}){20}$"],
    ["has many parts that may be missing", `^${"a?".repeat(30)}$`],
    ["has many groups of alternatives", `^${"(a|a)".repeat(30)}$`],
    ["refers back", "^(a)\\1$"],
    ["looks behind, which is not read", "(?<=a)b"],
    ["is none", "("],
    ["loops in a look-ahead that is repeated", "^((?=a*)a)+$"],
  ])("%s: %s %s", (_what, pattern) => {
    expect(quickLength(pattern)).toBe(0);
  });
});

describe("quick for short texts is a pattern", () => {
  test.each([
    ["with three loops", "^a*a*a*$", 215],
    ["with two loops that begins anywhere", "a*a*$", 215],
    ["with four loops", "^a*a*a*a*$", 56],
    ["with long repetitions that have bounds", "^a{0,500}a{0,500}a{0,500}$", 215],
    ["of a decimal number, as pydantic prints it", "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$", 125],
    ["of an address for mail", "^[^@]+@[^@]+\\.[^@]+$", 215],
  ])("%s: %s", (_what, pattern, length) => {
    expect(quickLength(pattern)).toBe(length);
  });
});

describe("quick for any text is a pattern", () => {
  test.each([
    ["without a repetition", "^(GET|POST):(asc|desc)$"],
    ["with one loop", "^[a-zA-Z0-9_-]+$"],
    ["with one loop that begins anywhere", "[a-z]+"],
    ["with a loop over a group of one length", "^(?:ab)+$"],
    ["with two loops", "^[a-z][a-z0-9-]*[a-z0-9]+$"],
    ["with short repetitions", "^(\\d{1,3}\\.){3}\\d{1,3}$"],
    ["of a date", "^\\d{4}-\\d{2}-\\d{2}$"],
    ["of a UUID", "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"],
    ["of a colour", "^[0-9a-fA-F]{3}([0-9a-fA-F]{3})?$"],
    ["of letters of all scripts", "^\\p{L}+$"],
    ["that looks ahead", "^(?!x-)[a-z]+$"],
    ["that looks ahead in each round", "^(?:(?!x)y)*$"],
    ["that is empty", ""],
  ])("%s: %s", (_what, pattern) => {
    expect(quickLength(pattern)).toBe(Infinity);
  });
});
