/**
 * One instance of everything that a script can make without a name: literals, iterators of every kind, what methods return, and an object
 * of every class. Text of a list of functions, each of which gives one; what a version of Node does not have is skipped.
 */
export const INSTANCES = String.raw`[
  () => ({}), () => [], () => /a/gd, () => () => {}, () => function () {}, () => class {}, () => class extends Array {}, () => ({ method() {} }).method,
  () => async () => {}, () => async function () {}, () => function* () {}, () => async function* () {}, () => ({ async *method() {} }).method,
  () => (function* () {})(), () => (async function* () {})(), () => (async () => {})(), () => (function () { return arguments; })(),
  () => ((strings) => strings)${"`a${1}b`"}, () => ((strings) => strings.raw)${"`a`"},
  () => Object(1), () => Object("a"), () => Object(true), () => Object(1n), () => Object(Symbol()), () => Object(Symbol.iterator),
  () => [].values(), () => [].entries(), () => [].keys(), () => "a"[Symbol.iterator](), () => "a".matchAll(/a/g), () => new Map().entries(),
  () => new Set().values(), () => new Uint8Array(1).values(), () => new URLSearchParams("a=1").entries(), () => new URLSearchParams("a=1").keys(),
  () => new URLSearchParams("a=1").values(), () => new URLSearchParams("a=1")[Symbol.iterator](), () => new URL("http://a/?b").searchParams,
  () => Iterator.from({ next() {} }), () => Iterator.from([]), () => [].values().map(() => 1), () => [].values().filter(() => 1),
  () => [].values().take(1), () => [].values().drop(1), () => [1].values().flatMap(() => [1]), () => Iterator.concat([1], [2]),
  () => Iterator.zip([[1]]), () => Iterator.zipKeyed({ a: [1] }), () => [].values().chunks(1), () => [].values().windows(1), () => new (class extends Iterator {})(),
  () => (async function* () { yield* [Promise.resolve(1)]; })().next(),
  () => Promise.withResolvers(), () => Promise.withResolvers().resolve, () => Promise.resolve().then(() => {}), () => Array.fromAsync([1]),
  () => { let given; new Promise((...made) => { given = made; }); return given; },
  () => Proxy.revocable({}, {}), () => Proxy.revocable({}, {}).revoke, () => (() => {}).bind(),
  () => /(?<a>b)/d.exec("b"), () => /(?<a>b)/d.exec("b").groups, () => /(?<a>b)/d.exec("b").indices, () => "aba".matchAll(/(?<b>b)/dg).next(),
  () => new Error("a", { cause: 1 }), () => { try { null.a; } catch (error) { return error; } }, () => new AggregateError([new Error()]),
  () => { try { JSON.parse("{"); } catch (error) { return error; } }, () => { try { decodeURI("%"); } catch (error) { return error; } },
  () => { try { (function dive() { dive(); })(); } catch (error) { return error; } }, () => { try { new SuppressedError(); } catch (error) { return error; } },
  () => JSON.parse('{"a":[1]}'), () => JSON.rawJSON("1"), () => Object.groupBy([1], () => "a"), () => Map.groupBy([1], () => "a"),
  () => Object.getOwnPropertyDescriptor({ a: 1 }, "a"), () => Object.fromEntries([["a", 1]]), () => structuredClone({ a: [new Map()] }),
  () => new ArrayBuffer(8), () => new ArrayBuffer(8, { maxByteLength: 16 }), () => new DataView(new ArrayBuffer(8)), () => new ArrayBuffer(8).transfer(),
  () => new Uint8Array(2).subarray(1), () => Uint8Array.fromBase64("AAAA"), () => new Date(), () => new Date().toTemporalInstant(), () => Temporal.Now.instant(),
  () => new WeakMap(), () => new WeakSet(), () => new Map(), () => new Set(), () => new Set().union(new Set()), () => new Promise(() => {}),
  ...["Collator", "DateTimeFormat", "DisplayNames", "DurationFormat", "ListFormat", "NumberFormat", "PluralRules", "RelativeTimeFormat", "Segmenter"].flatMap((name) => {
    const make = () => new Intl[name]("en", { type: name === "DisplayNames" ? "region" : undefined });
    return [make, () => make().resolvedOptions(), () => make().format, () => make().compare, () => make().formatToParts(name === "ListFormat" ? ["a"] : 1)];
  }),
  () => new Intl.Locale("en-US"), () => new Intl.Locale("en-US").getWeekInfo(), () => new Intl.DateTimeFormat().formatToParts(), () => new Intl.RelativeTimeFormat("en").formatToParts(1, "day"),
  () => new Intl.DurationFormat("en").formatToParts({ hours: 1 }), () => new Intl.DateTimeFormat().formatRangeToParts(0, 1e12), () => Intl.supportedValuesOf("unit"),
  () => new Intl.Segmenter().segment("a"), () => new Intl.Segmenter().segment("a")[Symbol.iterator](), () => new Intl.Segmenter().segment("a").containing(0),
  () => new Intl.Segmenter().segment("a")[Symbol.iterator]().next(),
  () => new DisposableStack(), () => new AsyncDisposableStack(), () => new WeakRef({}), () => new FinalizationRegistry(() => {}),
  () => new URL("http://a/"), () => new URLSearchParams(), () => new TextEncoder(), () => new TextEncoder().encode("a"), () => new TextDecoder(),
  () => new AbortController(), () => new AbortController().signal, () => AbortSignal.abort(), () => AbortSignal.any([]), () => AbortSignal.abort().reason,
  () => { const controller = new AbortController(); let event; controller.signal.addEventListener("abort", (heard) => { event = heard; }); controller.abort(); return event; },
  () => new Event("a"), () => new CustomEvent("a"), () => new EventTarget(), () => new DOMException("a"), () => { try { atob("*"); } catch (error) { return error; } },
  () => crypto.getRandomValues(new Uint8Array(1)), () => { const refused = __codemode_call__(); refused.catch(() => {}); return refused; },
]`;
