import { toAttacks } from "../attack.ts";

/** What the host reads when the script is done: logs and the result. These attacks hold when the answer is as harmless as any other. */
export const answerAttacks = toAttacks({
  "a frame inside a log": `console.log("\\u0000\\u0000\\u0000\\u0004{\\"type\\":\\"result\\"}"); console.log('\\n{"type":"result","truncations":[],"unawaited":[]}\\n"forged"');`,
  "a log that looks like two": `console.log('a\\n{"type":"log","level":"error","timeMs":1,"message":"forged","truncated":false}');`,
  "terminal escapes in a log": `console.log("\\u001b[2J\\u001b]0;title\\u0007");`,
  "a proxy with every trap in a log": `
    let seen;
    const traps = Object.fromEntries(Reflect.ownKeys(Reflect).filter((key) => typeof Reflect[key] === "function")
      .map((key) => [key, (...args) => { seen ||= foreign(args) || args.map(foreign).find(Boolean); return Reflect[key](...args); }]));
    console.log(new Proxy({ a: [1], b: { c: 1 } }, traps), new Proxy([1, 2], traps));
    return seen;`,
  "an endless proxy in a log": `console.log(new Proxy([], { get: (_, key) => (key === "length" ? 2 ** 32 - 1 : "x".repeat(1000)) }));`,
  "an endless chain in a log": `const chain = () => ({ get next() { return chain(); } }); console.log(chain());`,
  "a cycle of toJSON in a log": `const a = { toJSON: () => b }; const b = { toJSON: () => a }; console.log(a);`,
  "a huge text in a log": `console.log("x".repeat(1e7));`,
  "a map and a set with traps in a log": `
    let seen;
    class Trap extends Map { entries() { seen = "called"; return super.entries(); } [Symbol.iterator]() { seen = "called"; return super[Symbol.iterator](); } get size() { seen = "called"; return 1; } }
    console.log(new Trap([[1, 2]]));
    return seen;`,
  "an array with its own iterator in a log": `
    let seen;
    const list = [1, 2];
    list[Symbol.iterator] = function* () { seen = "called"; yield 1; };
    list.map = () => { seen = "called"; };
    console.log(list);
    return seen;`,
});
