import type { Bridge } from "../../../../schemas/run/bridge.ts";
import { askBridge } from "../ask-bridge.ts";
import { toText } from "../to-text.ts";

type Pair = [name: string, value: string];

/** The query of a URL object: replaced when the URL changes, and telling the URL when it changes itself. */
export interface LinkedParams {
  params: object;
  replace(query: string): void;
}

export interface UrlSearchParamsEndowment {
  URLSearchParams: new (init?: unknown) => object;
  /** Makes the parameters of a URL; `onChange` gets the printed query. */
  makeLinked(query: string, onChange: (query: string) => void): LinkedParams;
}

/** Makes the class `URLSearchParams`; queries are parsed and printed by the URL standard's own rules, in the main realm. */
export function makeUrlSearchParams(bridge: Bridge): UrlSearchParamsEndowment {
  const parse = (query: string): Pair[] => JSON.parse(askBridge(bridge.parseQuery, query) ?? "[]") as Pair[];
  const print = (pairs: Pair[]): string => askBridge(bridge.formatQuery, JSON.stringify(pairs)) ?? "";
  let makeLinked: UrlSearchParamsEndowment["makeLinked"];

  class URLSearchParams {
    #pairs: Pair[];
    #onChange: (query: string) => void = () => {};

    static {
      makeLinked = (query, onChange) => {
        const params = new URLSearchParams(query);
        params.#onChange = onChange;
        const replace = (changed: string): void => {
          params.#pairs = parse(changed);
        };
        return { params, replace };
      };
    }

    constructor(init: unknown = "") {
      this.#pairs =
        typeof init === "object" && init !== null ? toPairs(init) : parse(withoutQuestionMark(String(init)));
    }

    get size(): number {
      return this.#pairs.length;
    }

    append(name: unknown, value: unknown): void {
      this.#change([...this.#pairs, [String(name), String(value)]]);
    }

    delete(name: unknown, value?: unknown): void {
      this.#change(this.#pairs.filter((pair) => !isMatch(pair, name, value)));
    }

    get(name: unknown): string | null {
      return this.#pairs.find((pair) => isMatch(pair, name))?.[1] ?? null;
    }

    getAll(name: unknown): string[] {
      return this.#pairs.filter((pair) => isMatch(pair, name)).map(([, value]) => value);
    }

    has(name: unknown, value?: unknown): boolean {
      return this.#pairs.some((pair) => isMatch(pair, name, value));
    }

    set(name: unknown, value: unknown): void {
      const first = this.#pairs.findIndex((pair) => isMatch(pair, name));
      if (first < 0) return this.append(name, value);
      const others = this.#pairs.filter((pair, index) => index <= first || !isMatch(pair, name));
      this.#change(others.with(first, [String(name), String(value)]));
    }

    sort(): void {
      this.#change(this.#pairs.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
    }

    forEach(callback: (value: string, name: string, params: object) => void, thisArg?: unknown): void {
      for (const [name, value] of this.#pairs) Reflect.apply(callback, thisArg, [value, name, this]);
    }

    *entries(): Generator<Pair> {
      for (const [name, value] of this.#pairs) yield [name, value];
    }

    *keys(): Generator<string> {
      for (const [name] of this.#pairs) yield name;
    }

    *values(): Generator<string> {
      for (const [, value] of this.#pairs) yield value;
    }

    [Symbol.iterator](): Generator<Pair> {
      return this.entries();
    }

    toString(): string {
      return print(this.#pairs);
    }

    get [Symbol.toStringTag](): string {
      return "URLSearchParams";
    }

    #change(pairs: Pair[]): void {
      this.#pairs = pairs;
      this.#onChange(print(pairs));
    }
  }
  return { URLSearchParams, makeLinked };
}

function toPairs(init: object): Pair[] {
  if (Symbol.iterator in init) {
    return [...(init as Iterable<Iterable<unknown>>)].map((item) => {
      const pair = [...item];
      if (pair.length !== 2) throw new TypeError("Each query pair must be an iterable [name, value]");
      return [String(pair[0]), String(pair[1])];
    });
  }
  return Object.entries(init).map(([name, value]) => [name, String(value)]);
}

/** `value` undefined matches any. */
function isMatch(pair: Pair, name: unknown, value?: unknown): boolean {
  return pair[0] === String(name) && (value === undefined || pair[1] === toText(value));
}

function withoutQuestionMark(query: string): string {
  return query.startsWith("?") ? query.slice(1) : query;
}
