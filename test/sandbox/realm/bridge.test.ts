import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { makeBridge } from "../../../runtime/sandbox/realm/boot/bridge.ts";
import { makeHostTimers } from "../../../runtime/sandbox/realm/boot/timers.ts";
import { URL_PARTS, type Bridge } from "../../../schemas/run/bridge.ts";

let bridge: Bridge;
beforeEach(() => {
  bridge = makeBridge(
    () => {},
    makeHostTimers(() => {}),
  );
});

/** What crosses has no prototype of the main realm: only the functions themselves lead there. */
test("the bridge is a plain table of functions that inherits nothing", () => {
  expect(Object.getPrototypeOf(bridge)).toBeNull();
  for (const member of Object.values(bridge)) expect(member).toBeInstanceOf(Function);
});

describe("no error of the main realm crosses the bridge:", () => {
  test.each<[string, (bridge: Bridge) => unknown]>([
    ["parseUrl", ({ parseUrl }) => parseUrl("no url", undefined)],
    ["changeUrl", ({ changeUrl }) => changeUrl("no url", "host", "x")],
    ["changeUrl of a part that is none", ({ changeUrl }) => changeUrl("http://a/", "origin", "x")],
    ["parseQuery", ({ parseQuery }) => parseQuery(Symbol("none") as unknown as string)],
    ["formatQuery", ({ formatQuery }) => formatQuery("no JSON")],
    ["decodeBase64", ({ decodeBase64 }) => decodeBase64("*")],
    ["encodeBase64", ({ encodeBase64 }) => encodeBase64("€")],
    ["findEncoding", ({ findEncoding }) => findEncoding("none")],
    ["decodeText", ({ decodeText }) => decodeText(1, "utf-8", '{"fatal":true}', "\xff", false)],
  ])("%s gives undefined", (_name, ask) => {
    expect(ask(bridge)).toBeUndefined();
  });
});

test("URLs are parsed into all of their parts, and changed by one", () => {
  const url = new URL("http://u:p@a.example:81/x?q=1#h");
  const parts = Object.fromEntries(["origin", ...URL_PARTS].map((part) => [part, url[part as "href"]]));
  expect(JSON.parse(bridge.parseUrl(url.href, undefined) as string)).toEqual(parts);
  expect(JSON.parse(bridge.parseUrl("/y", "http://a.example/x") as string)).toMatchObject({
    href: "http://a.example/y",
  });
  for (const [part, value, href] of [
    ["host", "b.example", "http://u:p@b.example:81/x?q=1#h"],
    ["hash", "", "http://u:p@a.example:81/x?q=1"],
    ["href", "data:x", "data:x"],
  ] as const) {
    expect(JSON.parse(bridge.changeUrl(url.href, part, value) as string)).toMatchObject({ href });
  }
});

test("queries are lists of pairs, in their order", () => {
  const pairs = JSON.stringify([
    ["a", "1"],
    ["b", " &"],
    ["a", ""],
  ]);
  expect(bridge.parseQuery("?a=1&b=+%26&a=")).toBe(pairs);
  expect(bridge.formatQuery(pairs)).toBe("a=1&b=+%26&a=");
});

test("Base64 stands for bytes, one character for each", () => {
  expect(bridge.encodeBase64("\0é\xff")).toBe("AOn/");
  expect(bridge.decodeBase64("AOn/")).toBe("\0é\xff");
});

test("text is measured and decoded, a stream keeping its state until its end", () => {
  expect(bridge.utf8Length("é€😀")).toBe(9);
  expect(bridge.findEncoding("UTF8")).toBe("utf-8");
  const decode = (id: number, bytes: string, stream: boolean, options = "{}") =>
    bridge.decodeText(id, "utf-8", options, bytes, stream);
  expect(decode(1, "\xff", false)).toBe("\ufffd");
  expect(decode(1, "\xef\xbb\xbfa", false, '{"ignoreBOM":true}')).toBe("\ufeffa");
  expect([
    decode(1, "\xe2\x82", true),
    decode(2, "\xc3", true),
    decode(1, "\xac", false),
    decode(2, "\xa9", false),
  ]).toEqual(["", "", "€", "é"]);
  expect(decode(1, "\xac", false)).toBe("\ufffd");
});

test("a stream is over with an error, and with its script", () => {
  const decode = (bytes: string, stream: boolean) => bridge.decodeText(3, "utf-8", '{"fatal":true}', bytes, stream);
  decode("\xe2", true);
  expect(decode("\xff", true)).toBeUndefined();
  expect(decode("a", false)).toBe("a");
  decode("\xe2", true);
  bridge.forgetStreams();
  expect(decode("a", false)).toBe("a");
});

test("UTC becomes the time zone of the process, which Node reads from its environment", () => {
  const before = process.env["TZ"];
  onTestFinished(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });
  process.env["TZ"] = "Asia/Tokyo";
  bridge.useUtc();
  expect(process.env["TZ"]).toBe("UTC");
});

describe("timers", () => {
  test("fire once, by their ids, and run until then", async () => {
    const fired: number[] = [];
    const timers = makeHostTimers((id) => fired.push(id));
    expect(timers.isAnyRunning()).toBe(false);
    timers.start(7, 1);
    timers.start(8, 0);
    expect(timers.isAnyRunning()).toBe(true);
    await vi.waitUntil(() => fired.length === 2);
    expect(new Set(fired)).toEqual(new Set([7, 8]));
    expect(timers.isAnyRunning()).toBe(false);
  });

  test("that are stopped never fire and delay nothing", async () => {
    const fired: number[] = [];
    const timers = makeHostTimers((id) => fired.push(id));
    timers.start(1, 1);
    timers.start(2, 5);
    timers.stop(1);
    timers.stop(9);
    await vi.waitUntil(() => fired.length > 0);
    expect(fired).toEqual([2]);
    timers.start(3, 50_000);
    timers.stop(3);
    expect(timers.isAnyRunning()).toBe(false);
  });
});

test("frames and timers go through as they come", () => {
  const send = vi.fn();
  const timers = { start: vi.fn(), stop: vi.fn(), isAnyRunning: () => false };
  const made = makeBridge(send, timers);
  made.send("a", "b");
  made.startTimer(1, 2);
  made.stopTimer(1);
  expect([send, timers.start, timers.stop].map(({ mock }) => mock.calls)).toEqual([[["a", "b"]], [[1, 2]], [[1]]]);
});
