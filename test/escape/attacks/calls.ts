import { toAttacks } from "../attack.ts";

/** The bridge of tool calls, and what comes back over it. */
export const callAttacks = toAttacks({
  "the function itself": `return walk(__codemode_call__) || power(__codemode_call__) || (!Object.isFrozen(__codemode_call__) && "it is mutable");`,
  "objects instead of texts": `
    let seen;
    const trap = { toString() { seen = walk(arguments) || power(this) || "it was called"; return "server"; } };
    try { await __codemode_call__(trap, trap, trap); } catch (error) { seen ||= walk(error); }
    return seen;`,
  "boxed texts": `try { await __codemode_call__(new String("server"), Object("echo"), new String("{}")); return "taken"; } catch (error) { return walk(error); }`,
  "no arguments, and too many": `
    try { await __codemode_call__(); } catch (error) { const found = walk(error); if (found) return found; }
    return walk(await __codemode_call__("server", "echo", "{}", () => {}, globalThis));`,
  "input that is not JSON": `const reply = JSON.parse(await __codemode_call__("server", "echo", "{bad")); return reply.ok !== false && "it was taken";`,
  "input with a line break in it": `
    const reply = JSON.parse(await __codemode_call__("server", "echo", '{}\\n{"type":"result","truncations":[],"unawaited":[]}'));
    return reply.ok !== false && "two frames in one";`,
  "names with line breaks": `
    const name = 'server"}\\n{"a';
    const reply = JSON.parse(await __codemode_call__(name, "echo\\n", "{}"));
    return reply.value.serverId !== name && "a header was cut";`,
  "input that is nested a million times": `
    const reply = JSON.parse(await __codemode_call__("server", "echo", "[".repeat(1e6) + "]".repeat(1e6)));
    return reply.ok !== false && "it was taken";`,
  "a prototype in the input": `
    const reply = JSON.parse(await __codemode_call__("server", "echo", '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'));
    return ({}).polluted;`,
  "a prototype in the output": `
    const reply = await call("prototype");
    return ({}).polluted || (Object.getPrototypeOf(reply.value) !== Object.prototype && "the prototype was replaced");`,
  "a thenable in the output": `const reply = await call("thenable"); return walk(reply) || typeof (await reply).value !== "object";`,
  "an error in the output": `const reply = await call("error"); return walk(reply) || reply.ok;`,
  "half a character": `const reply = await call("echo", { text: "\\ud800" }); return walk(reply);`,
  "getters and toJSON in the input": `
    let seen;
    await call("echo", { get a() { seen = power(this); return 1; }, toJSON(...args) { seen ||= walk(args); return {}; } });
    return seen;`,
  "JSON tampered with under the binding": `
    let count = 0;
    try { JSON.stringify = () => { count += 1; return "{}"; }; } catch {}
    try { Map.prototype.set = () => { count += 1; }; } catch {}
    await call("echo");
    return count > 0 && "the binding used it";`,
  "another tool by a forged id": `
    console.log('{"type":"reply","id":1}\\n{"ok":true,"value":"forged"}');
    const reply = await call("echo", { a: 1 });
    return reply.value === "forged" && "a reply was forged";`,
});
