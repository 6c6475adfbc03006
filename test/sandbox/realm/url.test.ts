import { beforeAll, expect, test } from "vitest";
import { makeSandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { resultsOf } from "./run-script.ts";

/** Runs in the sandbox and in Node; both must give the same. */
const PROGRAMS: Record<string, string> = {
  "the parts of URLs": `
    return ["https://user:pass@host.example:8080/a/b?x=1#top", "http://xn--nxasmq6b/", "file:///a b", "mailto:a@b.example", "data:,x", "HTTP://EXAMPLE.com:80"].map((text) => {
      const url = new URL(text);
      return [url.href, url.origin, url.protocol, url.username, url.password, url.host, url.hostname, url.port, url.pathname, url.search, url.hash, String(url), JSON.stringify(url)];
    });`,
  "relative URLs": `return [["../c?d", "http://a/b/x/y"], ["//other/", "https://a/"], ["#top", "http://a/b"]].map(([text, base]) => new URL(text, base).href);`,
  "what is no URL": `
    return ["", "::", "http://", "/a"].map((text) => { try { return new URL(text).href; } catch (error) { return [error.name, error.code, error.message]; } })
      .concat(URL.canParse("http://a"), URL.canParse("a"), URL.canParse("a", "http://b"));`,
  "changes to a URL": `
    const url = new URL("http://a/b?c=1#d");
    url.protocol = "https"; url.host = "x.example:99"; url.pathname = "/p q"; url.search = "?k=v w"; url.hash = "h"; url.username = "u"; url.password = "p@";
    url.port = "not a port";
    return [url.href, url.searchParams.get("k")];`,
  "the query of a URL, both ways": `
    const url = new URL("http://a/?x=1&y=2");
    const { searchParams } = url;
    searchParams.append("z", "a b&c"); searchParams.delete("x"); searchParams.set("y", "é");
    const first = url.href;
    url.search = "?n=1";
    return [first, searchParams.get("n"), searchParams.get("z"), url.searchParams === searchParams];`,
  "parameters from every kind of value": `
    return [new URLSearchParams("?a=1&a=2&b=%20+c"), new URLSearchParams([["a", "1"], ["b", "2"]]), new URLSearchParams({ a: 1, b: "x y" }), new URLSearchParams(new Map([["m", "1"]])), new URLSearchParams()]
      .map((params) => [String(params), params.size, [...params], [...params.keys()], [...params.values()], params.getAll("a"), params.has("a"), params.has("a", "2")]);`,
  "sorting and walking parameters": `
    const params = new URLSearchParams("b=2&a=1&b=1&c=3");
    params.sort();
    const seen = [];
    params.forEach((value, name) => seen.push(name + value));
    params.set("b", "9"); params.delete("c", "nothing");
    return [seen, String(params), params.get("missing")];`,
  "text and bytes": `
    const texts = ["", "plain", "é€😀", "\\ud800 half", "\\u0000"];
    const decode = (bytes, label, options) => { try { return new TextDecoder(label, options).decode(Uint8Array.from(bytes)); } catch (error) { return error.name; } };
    return [
      texts.map((text) => [...new TextEncoder().encode(text)]),
      texts.map((text) => new TextDecoder().decode(new TextEncoder().encode(text))),
      new TextEncoder().encodeInto("a€😀", new Uint8Array(5)),
      decode([0xef, 0xbb, 0xbf, 0x61]), decode([0xef, 0xbb, 0xbf, 0x61], "utf-8", { ignoreBOM: true }),
      decode([0xff]), decode([0xff], "utf-8", { fatal: true }), decode([0x61, 0], "utf-16le"), decode([0xe9], "latin1"), decode([0x82, 0xa0], "shift_jis"), decode([1], "nonsense"),
      new TextDecoder("UTF8").encoding, new TextDecoder("utf-8", { fatal: true }).fatal,
    ];`,
  "text in pieces": `
    const decoder = new TextDecoder();
    const bytes = new TextEncoder().encode("a😀b");
    return [decoder.decode(bytes.subarray(0, 3), { stream: true }), decoder.decode(bytes.subarray(3), { stream: true }), decoder.decode(), decoder.decode(new DataView(bytes.buffer, 5)), decoder.decode(bytes.buffer)];`,
};

let results: Record<string, unknown>;
beforeAll(async () => {
  const pool = makeSandboxPool({ refill: false });
  results = await resultsOf(PROGRAMS, { pool });
  await pool.close();
});

test.each(Object.entries(PROGRAMS))("%s are as in Node", (name, body) => {
  expect(results[name]).toEqual(JSON.parse(JSON.stringify(new Function(body)())));
});
