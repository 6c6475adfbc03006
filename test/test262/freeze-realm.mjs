/** Freezes the built-in objects of the realm that it runs in, and nothing else: what fails in such a realm alone fails because of that. */
export const FREEZE_REALM = `(() => {
  const found = new Set();
  const add = (value) => {
    if (Object(value) === value && value !== globalThis) found.add(value);
  };
  const addParts = (object) => {
    for (const key of Reflect.ownKeys(object)) {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(object, key);
      [value, get, set].forEach(add);
    }
  };
  addParts(globalThis);
  // Objects that no property leads to.
  const generator = (function* () {})();
  const asyncGenerator = (async function* () {})();
  const iterators = [[].values(), new Map().keys(), new Set().keys(), ""[Symbol.iterator](), "".matchAll(/a/g)];
  const functions = [function* () {}, async function* () {}, async () => {}];
  const others = [generator, asyncGenerator, generator.map?.(() => 0), globalThis.Iterator?.from({ next() {} })];
  for (const object of [...iterators, ...functions, ...others]) if (object !== undefined) add(Reflect.getPrototypeOf(object));
  // What is added meanwhile is visited too.
  for (const object of found) {
    addParts(object);
    add(Reflect.getPrototypeOf(object));
  }
  found.forEach(Object.freeze);
})();`;
