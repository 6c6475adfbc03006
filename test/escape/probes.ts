/**
 * What an attack has at hand, as text that runs before it in the sandbox. Each probe returns a description of what it got hold of, or
 * undefined. An attack succeeds when it returns something true.
 */
export const PROBES = String.raw`
const rootOf = (value) => {
  for (let proto = value, depth = 0; depth < 50; depth += 1) {
    const next = Object.getPrototypeOf(proto);
    if (next === null) return proto;
    proto = next;
  }
};
const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";

/** A value of another realm: its prototypes end in another Object.prototype. */
const foreign = (value) => {
  if (!isObject(value)) return;
  let root;
  try { root = rootOf(value); } catch { return; }
  if (root === undefined || root === value || root === Object.prototype) return;
  return "an object of another realm: " + Object.prototype.toString.call(value);
};

/** A function that makes functions from text, and what such a function can reach. */
const maker = (candidate) => {
  if (typeof candidate !== "function") return;
  for (const source of ["return process", "return this.process", "return globalThis.process", "return this"]) {
    let reached;
    try { reached = candidate(source)(); } catch { continue; }
    if (isObject(reached) && reached !== globalThis) return "code from text reached " + Object.prototype.toString.call(reached);
  }
};

/** A value, its prototype and their constructors. */
const power = (value) => {
  if (!isObject(value)) return;
  if (value.process || value.mainModule || value.binding) return "an object of Node";
  for (const start of [value, Object.getPrototypeOf(value)]) {
    let current = start;
    for (let step = 0; step < 4 && isObject(current); step += 1) {
      let next;
      try { next = current.constructor; } catch { break; }
      const found = maker(next) || foreign(next);
      if (found) return found;
      current = next;
    }
  }
  return foreign(value);
};

/** Everything that can be reached from a value: members, accessors, prototypes. */
const walk = (start, limit = 3000) => {
  const queue = [start];
  const seen = new Set();
  while (queue.length > 0 && seen.size < limit) {
    const value = queue.pop();
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    const found = foreign(value);
    if (found) return found;
    let keys = [];
    try { keys = Reflect.ownKeys(value); } catch {}
    for (const key of keys) {
      let descriptor;
      try { descriptor = Object.getOwnPropertyDescriptor(value, key); } catch { continue; }
      if (descriptor === undefined) continue;
      queue.push(descriptor.value, descriptor.get, descriptor.set);
      if (descriptor.get) try { queue.push(value[key]); } catch (error) { queue.push(error); }
    }
    try { queue.push(Object.getPrototypeOf(value)); } catch {}
  }
};

/** What an action throws, walked. */
const thrown = (action) => {
  try { action(); } catch (error) { return walk(error, 300) || power(error); }
};
const call = async (tool, input) => JSON.parse(await __codemode_call__("server", tool, JSON.stringify(input ?? {})));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;
