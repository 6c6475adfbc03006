/** The `Proxy` of scripts, and what tells its proxies: nothing of the language does without running their traps. */
export interface KnownProxies {
  Proxy: ProxyConstructor;
  isProxy(value: object): boolean;
}

/** Must be called before the intrinsics are hardened. */
export function makeKnownProxies(): KnownProxies {
  const { Proxy: ofLanguage } = globalThis;
  const known = new WeakSet();
  const { add, has } = WeakSet.prototype;
  const note = <Value extends object>(proxy: Value): Value => {
    Reflect.apply(add, known, [proxy]);
    return proxy;
  };
  // A bound function is a constructor without `prototype`, as `Proxy` is.
  const Proxy = function Proxy(target: object, handler: ProxyHandler<object>): object {
    if (new.target === undefined) throw new TypeError("Constructor Proxy requires 'new'");
    return note(new ofLanguage(target, handler));
    // oxlint-disable-next-line no-extra-bind -- see above
  }.bind(undefined) as unknown as ProxyConstructor;
  const { revocable } = {
    revocable(target: object, handler: ProxyHandler<object>): { proxy: object; revoke: () => void } {
      const made = ofLanguage.revocable(target, handler);
      note(made.proxy);
      return made;
    },
  };
  const hidden = { writable: true, enumerable: false, configurable: true };
  Object.defineProperties(Proxy, {
    length: { value: 2, configurable: true },
    name: { value: "Proxy", configurable: true },
    revocable: { value: revocable, ...hidden },
  });
  return { Proxy, isProxy: (value) => Reflect.apply(has, known, [value]) };
}
