/** What a script tries to leave for the next one in the same process. */
export interface Leak {
  name: string;
  /** The body of the first run. */
  leave: string;
  /** The body of the second: what it returns must be what it is in a process of its own. */
  find: string;
}

const SHARED = `[
  ...Object.getOwnPropertyNames(globalThis).map((name) => globalThis[name]),
  (function* () {}).constructor, (async () => {}).constructor, [][Symbol.iterator]().__proto__, Object.getPrototypeOf(Uint8Array),
].flatMap((value) => [value, value?.prototype, Object.getPrototypeOf(Object(value))])
  .filter((value) => value !== globalThis.__codemode_input__ && Object(value) === value)`;

/** After these the process serves again: nothing of the first run may be found. */
export const LEAKS: readonly Leak[] = [
  {
    name: "a global",
    leave: "try { globalThis.left = 1; } catch {} try { left = 1; } catch {} try { var left = 1; } catch {}",
    find: "return [typeof left, 'left' in globalThis];",
  },
  {
    name: "a property of anything shared",
    leave: `for (const shared of ${SHARED}) {
      try { shared.left = 1; } catch {}
      try { Object.defineProperty(shared, "left", { value: 1 }); } catch {}
      try { Object.setPrototypeOf(shared, { left: 1 }); } catch {}
    }`,
    find: `return ${SHARED}.filter((shared) => "left" in shared).length;`,
  },
  {
    name: "another method of anything shared",
    leave: `for (const shared of ${SHARED}) for (const key of Reflect.ownKeys(shared)) {
      try { shared[key] = () => "left"; } catch {}
      try { Object.defineProperty(shared, key, { value: () => "left", configurable: true }); } catch {}
    }
    globalThis.__codemode_result__ = 1;`,
    find: `return ${SHARED}.flatMap((shared) => Reflect.ownKeys(shared).filter((key) => {
      try { return String(shared[key]).includes("left"); } catch { return false; }
    })).length;`,
  },
  {
    name: "another method of segments",
    leave: `const segments = new Intl.Segmenter().segment("a");
    for (const shared of [segments, segments[Symbol.iterator]()].map(Object.getPrototypeOf)) for (const key of Reflect.ownKeys(shared)) {
      try { shared[key] = () => "left"; } catch {}
      try { Object.defineProperty(shared, key, { value: () => "left" }); } catch {}
    }`,
    find: `const segments = new Intl.Segmenter().segment("ab"); return [segments.containing(1), [...segments]];`,
  },
  {
    name: "a signal that has not timed out",
    leave:
      "AbortSignal.timeout(200).onabort = () => console.log('left'); globalThis.__codemode_result__ = 1; void new Promise(() => {});",
    // sleeps: the signal of the run before would time out in this time
    find: "const id = setTimeout(() => {}, 0); await new Promise((resolve) => setTimeout(resolve, 300)); return id;",
  },
  {
    name: "an asynchronous generator that waits",
    leave: `const generator = (async function* () { try { await new Promise(() => {}); yield 1; } finally { console.log("left"); } })();
      void generator.next(); void generator.return(); globalThis.__codemode_result__ = 1;`,
    find: "await new Promise((resolve) => setTimeout(resolve, 5)); return 1;",
  },
  {
    name: "listeners, microtasks and clones",
    leave: `const target = new EventTarget(); target.addEventListener("a", () => console.log("left")); queueMicrotask(() => { target.left = structuredClone({ left: 1 }); });`,
    find: "return [new EventTarget().dispatchEvent(new Event('a')), 'left' in new EventTarget(), performance.now() < 1000];",
  },
  {
    name: "a subclass, or another method, of its own classes of events",
    leave: `class Target extends EventTarget { left() { return "left"; } }
      new Target().addEventListener("a", () => console.log("left"));
      for (const shared of [EventTarget, Event, AbortSignal, AbortController]) {
        try { shared.prototype.left = 1; } catch {}
        try { Object.defineProperty(shared, Symbol.hasInstance, { value: () => true }); } catch {}
        try { Object.setPrototypeOf(shared.prototype, Target.prototype); } catch {}
      }
      globalThis.__codemode_result__ = 1;`,
    find: `const events = [new EventTarget(), new Event("a"), new AbortController(), new AbortController().signal];
      return [events.map((one) => "left" in one), {} instanceof Event, Object.getPrototypeOf(EventTarget.prototype) === Object.prototype];`,
  },
  {
    name: "the printing of stacks",
    leave: "try { Error.stackTraceLimit = 0; } catch {} try { Error.prepareStackTrace = () => 'left'; } catch {}",
    find: "return [Error.stackTraceLimit, typeof Error.prepareStackTrace, new Error('here').stack];",
  },
  {
    name: "half a character in a decoder",
    leave: "new TextDecoder().decode(Uint8Array.of(0xe2, 0x82), { stream: true });",
    find: "return new TextDecoder().decode(Uint8Array.of(0xac));",
  },
  {
    name: "the last match",
    leave: "/s(ecre)t/.exec('secret'); 'secret'.replace(/e/g, 'a');",
    find: "return [RegExp.$1, RegExp.lastMatch, RegExp['$&'], RegExp.input];",
  },
  {
    name: "its input, its result and the arguments of its calls",
    leave: "await __codemode_call__('server', 'echo', '\"secret\"'); globalThis.__codemode_result__ = { secret: 1 };",
    find: "return [globalThis.__codemode_result__ ?? null, __codemode_input__, await __codemode_call__('server', 'echo', '1')];",
  },
  {
    name: "a mark on a template",
    leave: "const mark = (strings) => { try { strings.left = 1; strings.raw.left = 1; } catch {} }; mark`a`;",
    find: "return ((strings) => 'left' in strings || 'left' in strings.raw)`a`;",
  },
  {
    name: "a symbol of the registry",
    leave: "Object(Symbol.for('left')).left = 1; try { Symbol.prototype.left = 1; } catch {}",
    find: "return [Symbol.keyFor(Symbol.for('left')), Symbol.for('left').left];",
  },
  {
    name: "full logs",
    leave: "for (let line = 0; line < 1000; line += 1) console.log('x'.repeat(1000));",
    find: "console.group('here'); console.log('a line'); return 1;",
  },
  {
    name: "timers that have fired or been stopped",
    leave:
      "const id = setTimeout(() => {}, 1e6); clearTimeout(id); await new Promise((resolve) => setTimeout(resolve, 1));",
    find: "return setTimeout(() => {}, 0);",
  },
  {
    name: "promises that nothing settles",
    leave: "for (let i = 0; i < 10; i += 1) (async () => { await new Promise(() => {}); globalThis.left = 1; })();",
    find: "await new Promise((resolve) => setTimeout(resolve, 5)); return 'left' in globalThis;",
  },
  {
    name: "rejections that were handled",
    leave: "const rejected = Promise.reject(new Error('left')); await null; rejected.catch(() => {});",
    find: "await new Promise((resolve) => setTimeout(resolve, 5)); return 1;",
  },
];

/** After these the process is ended: something of the first run is still to happen. */
export const REMAINS: Readonly<Record<string, string>> = {
  "a long timer": "setTimeout(() => console.log('left'), 1e6); globalThis.__codemode_result__ = 1;",
  "a timer of the result": `globalThis.__codemode_result__ = { toJSON() { setTimeout(() => console.log("left"), 5); return 1; } };`,
  "a call of the result": `globalThis.__codemode_result__ = { toJSON() { void __codemode_call__("server", "never", "{}"); return 1; } };`,
  "a log after the result": `globalThis.__codemode_result__ = { toJSON() { Promise.resolve().then(() => console.log("left")); return 1; } };`,
  "a loop of promises": `globalThis.__codemode_result__ = { toJSON() { const turn = () => Promise.resolve().then(turn); turn(); return 1; } };`,
  "a rejection of the result": `globalThis.__codemode_result__ = { toJSON() { void Promise.reject({ get message() { return "left"; } }); return 1; } };`,
  "an error": "throw new Error('left');",
  "a promise that never settles": "await new Promise(() => {});",
  // Held until the end: what nothing holds can be collected before the process is looked at.
  "much memory":
    "globalThis.held = new Uint8Array(6e7).fill(1); globalThis.__codemode_result__ = globalThis.held.length;",
};
